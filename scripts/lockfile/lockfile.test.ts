import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { downloads, gaps, KNOWN_GAPS, nameAndVersion, requireChecksums, type LockedPackages } from './gaps.ts'
import { keepForAnyNode, mistakable } from './left-out.ts'

const text = readFileSync(new URL('../../package-lock.json', import.meta.url), 'utf8')
const { packages } = JSON.parse(text) as { packages: LockedPackages }
const { overrides } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  overrides: Record<string, Record<string, string>>
}
const OVERRIDES = Object.values(overrides).flatMap(Object.entries<string>)

describe('the lockfile', () => {
  it('has a checksum for every package of every system, except for those listed with their reason', () => {
    expect(gaps(packages).map(nameAndVersion).toSorted()).toEqual(KNOWN_GAPS)
  })

  it('lacks checksums only for optional packages of other platforms', () => {
    const needed = gaps(packages).filter(([, { optional, os, cpu }]) => !optional || !os || !cpu)
    expect(needed.map(([place]) => place)).toEqual([])
  })

  // npm 9.2, which Debian 12 and Ubuntu 24.04 have, can't read a lockfile with such an override.
  it('overrides with versions only, not with other packages', () => {
    const aliases = Object.entries(packages).filter(([, { version, name }]) => version && name)
    expect(OVERRIDES.filter(([, version]) => !/^\d+\.\d+\.\d+$/.test(version))).toEqual([])
    expect(aliases.filter(([place]) => OVERRIDES.some(([name]) => place.endsWith(name)))).toEqual([])
  })

  it('has npm leave out no optional package for the Node that npm runs on', () => {
    expect(mistakable(packages)).toEqual([])

    const entry = { version: '1.0.0', engines: { node: '>=22' }, os: ['linux'], libc: ['glibc'] }
    const some = {
      'node_modules/a': { ...entry },
      'node_modules/b': { ...entry, optional: true },
      'node_modules/@node-llama-cpp/linux-x64': { ...entry, optional: true },
    }
    keepForAnyNode(some)
    expect(some).toEqual({
      'node_modules/a': entry,
      'node_modules/b': { version: '1.0.0', optional: true, os: ['linux'], libc: ['glibc'] },
      'node_modules/@node-llama-cpp/linux-x64': { version: '1.0.0', optional: true, os: ['linux'] },
    })
  })

  // npm leaves out what the registry doesn't have at that moment, and says nothing.
  it('has builds for every system of README', () => {
    const names = new Set(Object.keys(packages).map((place) => place.replace(/^.*node_modules\//, '')))
    const builds = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    const leftOut = new Set(OVERRIDES.map(([name]) => name))
    const wanted = builds.filter((name) => /(darwin|mac|win|win32|linux)-(x64|arm64)/.test(name) && !leftOut.has(name))
    expect(wanted.length).toBeGreaterThan(30)
    expect(wanted.filter((name) => !names.has(name))).toEqual([])
  })

  it('has no weak checksums', () => {
    const weak = downloads(packages).filter(([, { integrity }]) => integrity?.startsWith('sha512-') === false)
    expect(weak.map(([place]) => place)).toEqual([])
  })

  it('is signed as a release only without gaps', () => {
    const gap = { version: '1.0.0', optional: true, os: ['darwin'], cpu: ['arm64'] }
    const whole = { ...gap, integrity: 'sha512-b' }
    expect(() => requireChecksums({ 'node_modules/a': gap, 'node_modules/b': whole })).toThrow('a package: a@1.0.0.')
    expect(() => requireChecksums({ 'node_modules/b': whole, 'packages/c': {} })).not.toThrow()
  })
})
