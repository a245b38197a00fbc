// npm checks a download against the lockfile only where the lockfile has its checksum.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { WITHOUT_CHECKSUM } from './lockfile-gaps.ts'

interface Entry {
  version?: string
  link?: boolean
  /** Inside another package's download. */
  inBundle?: boolean
  integrity?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
  optionalDependencies?: Record<string, string>
}

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> }
const downloads = Object.entries(packages).filter(
  ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
)
const gaps = downloads.filter(([, { integrity }]) => integrity === undefined)

describe('the lockfile', () => {
  it('has a checksum for every package, except those listed', () => {
    const found = gaps.map(([path, { version }]) => `${path.replace(/^.*node_modules\//, '')}@${version}`)
    expect(found.toSorted()).toEqual(WITHOUT_CHECKSUM.toSorted())
  })

  it('lacks checksums only for optional packages of other platforms', () => {
    const needed = gaps.filter(([, { optional, os, cpu }]) => !optional || !os || !cpu)
    expect(needed.map(([path]) => path)).toEqual([])
  })

  // npm leaves out what the registry doesn't have at that moment, and says nothing.
  it('has builds for every system of README', () => {
    const names = new Set(Object.keys(packages).map((path) => path.replace(/^.*node_modules\//, '')))
    const builds = Object.values(packages).flatMap((entry) => Object.keys(entry.optionalDependencies ?? {}))
    const wanted = builds.filter((name) => /(darwin|mac|win|win32|linux)-(x64|arm64)/.test(name))
    expect(wanted.length).toBeGreaterThan(30)
    expect(wanted.filter((name) => !names.has(name))).toEqual([])
  })

  it('has no weak checksums', () => {
    const weak = downloads.filter(([, { integrity }]) => integrity !== undefined && !integrity.startsWith('sha512-'))
    expect(weak.map(([path]) => path)).toEqual([])
  })
})
