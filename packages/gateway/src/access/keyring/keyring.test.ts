import { readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import type { StoredSecrets } from '../../store/people/stored-secrets.ts'
import { KeyFile } from './key-file.ts'
import { keySource, KEY_FILE } from './key-source.ts'
import { openKeyring, type SecretStore } from './open-keyring.ts'
import { factorContext } from './contexts.ts'
import { rotateFile, rotateSetting, startOver } from './rotate-key.ts'
import { keyIdOf, sealingKey } from './seal.ts'
import { SecretKeyError } from './secret-key-error.ts'

const POSTGRES = 'postgres://hearth@db/hearth'
const FIRST = 'the first secret of at least 32 characters'
const SECOND = 'the second secret of at least 32 characters'
const PLAIN = { id: '1', person: 'ann', secret: 'encrypted by the library', backupCodes: 'these too' }

/** The stored secrets in memory. */
class SecretShelf implements SecretStore {
  stored: StoredSecrets
  /** Called before a change is committed, and after. */
  during: (moment: 'before commit' | 'after commit') => void = () => undefined

  constructor(stored: StoredSecrets = { session: undefined, factors: [] }) {
    this.stored = stored
  }

  async readGatewaySecret(): Promise<string | undefined> {
    return this.stored.session
  }

  async rewriteSecrets(change: (stored: StoredSecrets) => StoredSecrets | undefined): Promise<void> {
    const changed = change(this.stored)
    this.during('before commit')
    if (changed) {
      const factors = this.stored.factors.map((old) => changed.factors.find(({ id }) => id === old.id) ?? old)
      this.stored = { session: changed.session, factors }
    }
    this.during('after commit')
  }
}

let folder: string
let embedded: string
let file: KeyFile

beforeEach(() => {
  folder = scratchFolder()
  embedded = `embedded:${folder}`
  file = new KeyFile(join(folder, KEY_FILE))
})

async function open(shelf: SecretShelf, url: string, setting = '') {
  const warnings: string[] = []
  const source = keySource(url, setting)
  const opened = await openKeyring({ store: shelf, source, onWarning: (text) => warnings.push(text) })
  const readFactor = () => opened.keyring!.open(factorContext('secret', 'ann'), shelf.stored.factors[0]!.secret)
  return { ...opened, warnings, readFactor }
}

function shelfOfAnn(session: string | undefined = 'signs cookies'): SecretShelf {
  return new SecretShelf({ session, factors: [PLAIN] })
}

describe('at start', () => {
  it('makes a key file that only its owner can read, and the next start finds it', async () => {
    const shelf = new SecretShelf()
    const { session } = await open(shelf, embedded)
    expect(statSync(file.path).mode & 0o777).toBe(0o600)
    expect(file.read()).toHaveLength(1)
    expect((await open(shelf, embedded)).session).toBe(session)
    expect(shelf.stored.session).not.toContain(session)
  })

  it('does not write the key through a link that somebody planted', async () => {
    const elsewhere = join(folder, 'elsewhere')
    writeFileSync(elsewhere, 'untouched')
    symlinkSync(elsewhere, `${file.path}.new`)
    await open(new SecretShelf(), embedded)
    expect(readFileSync(elsewhere, 'utf8')).toBe('untouched')
    expect(file.read()).toHaveLength(1)
  })

  it('makes one key if several gateways start at the same moment', async () => {
    const shelf = new SecretShelf()
    const sessions = await Promise.all(Array.from({ length: 4 }, async () => (await open(shelf, embedded)).session))
    expect(new Set(sessions).size).toBe(1)
    expect(file.read()).toHaveLength(1)
  })

  it.each([
    ['a key file', () => embedded, ''],
    ['SESSION_SECRET', () => POSTGRES, FIRST],
  ])('encrypts with %s what an earlier version stored, and signs nobody out', async (_, url, setting) => {
    const shelf = shelfOfAnn()
    const { session, readFactor } = await open(shelf, url(), setting)
    // With a setting, the earlier version signed with that.
    expect(session).toBe(setting === '' ? 'signs cookies' : setting)
    expect(await readFactor()).toBe(PLAIN.secret)
    expect(JSON.stringify(shelf.stored)).not.toContain(PLAIN.secret)
    expect(JSON.stringify(shelf.stored)).not.toContain('signs cookies')
  })

  it('moves from a key file to SESSION_SECRET', async () => {
    const shelf = shelfOfAnn()
    await open(shelf, embedded)
    const { session, readFactor } = await open(shelf, embedded, FIRST)
    expect([session, await readFactor()]).toEqual(['signs cookies', PLAIN.secret])
    expect(keyIdOf(shelf.stored.session!)).toBe(sealingKey(FIRST).id)
  })

  it('stops if the database belongs to another SESSION_SECRET, and changes nothing', async () => {
    const shelf = shelfOfAnn()
    await open(shelf, POSTGRES, FIRST)
    const before = shelf.stored
    const start = open(shelf, POSTGRES, SECOND)
    await expect(start).rejects.toThrow(SecretKeyError)
    await expect(start).rejects.toThrow(new RegExp(`key ${sealingKey(FIRST).id}, and SESSION_SECRET is another one`))
    await expect(open(shelf, POSTGRES)).rejects.toThrow(/Set SESSION_SECRET to the value/)
    expect(shelf.stored).toBe(before)
  })

  it('stops if the key file is missing or another one, and makes none', async () => {
    const shelf = shelfOfAnn()
    await open(shelf, embedded)
    rmSync(file.path)
    await expect(open(shelf, embedded)).rejects.toThrow(/Put the key file of this database back/)
    expect(file.read()).toEqual([])
    writeFileSync(file.path, `${KeyFile.newKey()}\n`)
    await expect(open(shelf, embedded)).rejects.toThrow(/Put the key file of this database back/)
  })

  it('works without a key on PostgreSQL, and says what is missing', async () => {
    const shelf = new SecretShelf()
    const { session, keyring, warnings } = await open(shelf, POSTGRES)
    expect(keyring).toBeUndefined()
    expect(warnings).toEqual([expect.stringMatching(/SESSION_SECRET is not set/)])
    expect((await open(shelf, POSTGRES)).session).toBe(session)
  })
})

describe('rotation', () => {
  it('replaces the key in the file, and a running gateway notices', async () => {
    const shelf = shelfOfAnn()
    const { keyring, readFactor } = await open(shelf, embedded)
    const [before] = file.read()
    expect(await rotateFile(shelf, file)).toMatchObject({ kind: 'rotated', factors: 1 })
    expect(file.read()).toHaveLength(1)
    expect(readFileSync(file.path, 'utf8')).not.toContain(before)
    expect(await readFactor()).toBe(PLAIN.secret)
    expect(keyIdOf(keyring!.seal('place', 'text'))).toBe(keyIdOf(shelf.stored.session!))
    expect((await open(shelf, embedded)).session).toBe('signs cookies')
  })

  it.each(['before commit', 'after commit'] as const)('loses nothing if it ends %s', async (moment) => {
    const shelf = shelfOfAnn()
    await open(shelf, embedded)
    shelf.during = (now) => {
      if (now === moment) throw new Error('killed')
    }
    await expect(rotateFile(shelf, file)).rejects.toThrow('killed')
    shelf.during = () => undefined
    expect(file.read()).toHaveLength(2)
    const { session, readFactor } = await open(shelf, embedded)
    expect([session, await readFactor()]).toEqual(['signs cookies', PLAIN.secret])
    expect(await rotateFile(shelf, file)).toMatchObject({ kind: 'rotated', factors: 1 })
    expect(file.read()).toHaveLength(1)
    expect(await (await open(shelf, embedded)).readFactor()).toBe(PLAIN.secret)
  })

  it('does not lose a key to a second rotation at the same moment', async () => {
    const shelf = shelfOfAnn()
    await open(shelf, embedded)
    await Promise.all([rotateFile(shelf, file), rotateFile(shelf, file), rotateFile(shelf, file)])
    expect(await (await open(shelf, embedded)).readFactor()).toBe(PLAIN.secret)
  })

  it('replaces SESSION_SECRET; a gateway with the old one says what to do', async () => {
    const shelf = shelfOfAnn(undefined)
    const running = await open(shelf, POSTGRES, FIRST)
    expect(await rotateSetting(shelf, keySource(POSTGRES, FIRST), SECOND)).toMatchObject({ kind: 'rotated' })
    await expect(running.readFactor()).rejects.toThrow(SecretKeyError)
    await expect(running.keyring!.readAgain()).rejects.toThrow(/SESSION_SECRET is another one/)
    expect(running.warnings).toHaveLength(1)
    const { session, readFactor } = await open(shelf, POSTGRES, SECOND)
    expect([session, await readFactor()]).toEqual([running.session, PLAIN.secret])
  })

  it('rejects to start from a key that is not the one in use', async () => {
    const shelf = shelfOfAnn()
    await open(shelf, POSTGRES, FIRST)
    const before = shelf.stored
    expect(await rotateSetting(shelf, keySource(POSTGRES, SECOND), 'a third one')).toMatchObject({ kind: 'other-key' })
    expect(shelf.stored).toBe(before)
    // The setting was forgotten.
    expect(await rotateFile(shelf, file)).toEqual({ kind: 'other-key', id: sealingKey(FIRST).id })
    expect(file.read()).toEqual([])
    expect(await rotateFile(new SecretShelf(), file)).toEqual({ kind: 'nothing-sealed' })
  })
})

describe('a lost key', () => {
  it('is replaced; second factors stay on, unreadable, and survive later rotations as they are', async () => {
    const shelf = shelfOfAnn()
    await open(shelf, POSTGRES, FIRST)
    const lost = shelf.stored.factors
    const key = sealingKey(SECOND)
    expect(await startOver(shelf, [key], key)).toEqual({ kind: 'started-over', id: key.id })
    const { session, readFactor } = await open(shelf, POSTGRES, SECOND)
    expect(session).not.toBe('signs cookies')
    await expect(readFactor()).rejects.toThrow(SecretKeyError)
    const rotated = await rotateSetting(shelf, keySource(POSTGRES, SECOND), 'a third secret of 32 characters or more')
    expect(rotated).toMatchObject({ kind: 'rotated', factors: 0 })
    expect(shelf.stored.factors).toEqual(lost)
  })

  it('is not replaced while it works', async () => {
    const shelf = shelfOfAnn()
    await open(shelf, POSTGRES, FIRST)
    const key = sealingKey(FIRST)
    expect(await startOver(shelf, [key], key)).toEqual({ kind: 'key-works', id: key.id })
  })
})
