import { chmodSync, chownSync, mkdirSync, realpathSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeEach, describe, expect, it } from 'vitest'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { isOurs, makePrivateFolder } from './private-folder.ts'

const NOBODY = 65_534
let home: string

beforeEach(() => {
  home = realpathSync(scratchFolder())
})

/** Root gives one away; everyone else has root's. */
function foreignFolder(): string {
  if (process.getuid?.() !== 0) return '/usr'
  const path = join(home, 'foreign')
  mkdirSync(path, { mode: 0o700 })
  chownSync(path, NOBODY, NOBODY)
  return path
}

describe('makePrivateFolder', () => {
  it('makes one that is closed to others, and takes it again', () => {
    const path = join(home, 'a', 'b')

    expect(makePrivateFolder(path)).toBe(path)
    expect(statSync(path).mode & 0o777).toBe(0o700)
    expect(makePrivateFolder(path)).toBe(path)
  })

  it('refuses one that others may read or write', () => {
    mkdirSync(join(home, 'open'))
    chmodSync(join(home, 'open'), 0o750)

    expect(makePrivateFolder(join(home, 'open'))).toBeUndefined()
  })

  it('refuses one of another account, and a link', () => {
    mkdirSync(join(home, 'own'), { mode: 0o700 })
    symlinkSync(join(home, 'own'), join(home, 'link'))

    expect(makePrivateFolder(foreignFolder())).toBeUndefined()
    expect(makePrivateFolder(join(home, 'link'))).toBeUndefined()
  })

  it('refuses one that another account could replace, except where only owners may', () => {
    mkdirSync(join(home, 'shared'))
    chmodSync(join(home, 'shared'), 0o777)
    expect(makePrivateFolder(join(home, 'shared', 'own'))).toBeUndefined()

    chmodSync(join(home, 'shared'), 0o1777)
    expect(makePrivateFolder(join(home, 'shared', 'own'))).toBe(join(home, 'shared', 'own'))
  })

  it('refuses one in a folder of another account', () => {
    const place = process.getuid?.() === 0 ? foreignFolder() : '/'

    expect(makePrivateFolder(join(place, 'own'))).toBeUndefined()
  })
})

describe('isOurs', () => {
  it('takes what only this account and root can write', () => {
    writeFileSync(join(home, 'file'), '')

    expect(isOurs(join(home, 'file'))).toBe(true)
    expect(isOurs('/')).toBe(true)
  })

  it('refuses what others may write, what is theirs, links, and what is not there', () => {
    writeFileSync(join(home, 'file'), '')
    chmodSync(join(home, 'file'), 0o620)
    symlinkSync('/', join(home, 'link'))

    expect(isOurs(join(home, 'file'))).toBe(false)
    if (process.getuid?.() === 0) expect(isOurs(foreignFolder())).toBe(false)
    expect(isOurs(join(home, 'link'))).toBe(false)
    expect(isOurs(join(home, 'none'))).toBe(false)
  })
})
