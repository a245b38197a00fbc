import { expect, it } from 'vitest'
import { isOlder } from './own-version.ts'

it.each([
  ['0.1.0', '0.1.0', false],
  ['0.1.0', '0.2.0', true],
  ['0.9.9', '0.10.0', true],
  ['0.10.0', '0.9.9', false],
  ['1.0.0', '0.9.9', false],
  ['0.1.0-beta', '0.1.1', true],
  ['', '0.1.0', false],
  [undefined, '0.1.0', false],
  ['custom build', '0.1.0', false],
  ['99999999.0.0', '0.1.0', false],
])('of versions of the device app, %s is older than %s: %s', (app, newest, expected) => {
  expect(isOlder(app, newest)).toBe(expected)
})
