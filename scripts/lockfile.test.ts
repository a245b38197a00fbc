// npm checks a download against the lockfile only where the lockfile has its checksum.

import { readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { WITHOUT_CHECKSUM } from './lockfile-gaps.ts'

interface Entry {
  version?: string
  link?: boolean
  integrity?: string
  optional?: boolean
  os?: string[]
  cpu?: string[]
}

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
const { packages } = JSON.parse(text) as { packages: Record<string, Entry> }
const downloads = Object.entries(packages).filter(([path, { link }]) => path.includes('node_modules/') && !link)
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

  it('has no weak checksums', () => {
    const weak = downloads.filter(([, { integrity }]) => integrity !== undefined && !integrity.startsWith('sha512-'))
    expect(weak.map(([path]) => path)).toEqual([])
  })
})
