import { expect, it } from 'vitest'
import { versionOf, withChanges } from './version.ts'

const CHANGELOG = `# Changelog
- not an entry
## [Unreleased]

### Added

- one
- two
  - a detail

### Fixed

- three

## [0.1.0] - 2026-11-18

- an old one
`

it.each([
  ['each unreleased change is a patch', '0.1.0', CHANGELOG, '0.1.3'],
  ['on top of those of the last release', '0.1.4', CHANGELOG, '0.1.7'],
  ['a release has none', '0.2.0', CHANGELOG.replace('## [Unreleased]', '## [0.2.0]'), '0.2.0'],
  ['nothing may follow', '0.1.0', '## [Unreleased]\n\n- one', '0.1.1'],
])('%s', (_, version, changelog, expected) => {
  expect(withChanges(version, changelog)).toBe(expected)
})

it('is written in the manifest of a program that was handed out, and counted in a checkout', () => {
  expect(versionOf({ version: '0.1.9' })).toBe('0.1.9')
  const version = versionOf({ version: '0.1.0', private: true })
  expect(version).toMatch(/^0\.1\.\d+$/)
  expect(version).not.toBe('0.1.0')
})
