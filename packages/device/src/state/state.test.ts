import { chmodSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describe, expect, it } from 'vitest'
import { findCredential, loadCredential, saveCredential } from './credential.ts'
import { openSealKey } from './seal-key.ts'
import { readJson, writeAtomic, writeJson } from '@hearth/command-line/files/write-atomic'

const login = { gateway: 'https://g', device: 'd', organization: 'o', name: 'studio', credential: 'secret' }

describe('the state folder', () => {
  it('lets only the owner read the credential', () => {
    const path = join(scratchFolder(), 'deep', 'credential.json')
    saveCredential(path, login)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(loadCredential(path)).toEqual(login)
    chmodSync(path, 0o644)
    loadCredential(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('says how to log in if the credential is missing or damaged', () => {
    const path = join(scratchFolder(), 'credential.json')
    expect(findCredential(path)).toBeUndefined()
    expect(() => loadCredential(path)).toThrow(/not logged in/)
    writeFileSync(path, '{"gateway": ')
    expect(() => loadCredential(path)).toThrow(/damaged/)
    writeFileSync(path, '{"gateway": "https://g"}')
    expect(() => loadCredential(path)).toThrow(/"device" is missing/)
  })

  it('makes the key for sealed requests once, and lets only the owner read it', () => {
    const path = join(scratchFolder(), 'deep', 'seal-key.json')
    const key = openSealKey(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    chmodSync(path, 0o644)
    expect(openSealKey(path)).toEqual(key)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(openSealKey(join(scratchFolder(), 'seal-key.json')).publicKey).not.toBe(key.publicKey)
  })

  it.each(['{"privateKey": ', '{}', '{"publicKey": "AAAA", "privateKey": "AAAA"}', '{"privateKey": 7}'])(
    'never replaces a damaged key for sealed requests: %s',
    (content) => {
      const path = join(scratchFolder(), 'seal-key.json')
      writeFileSync(path, content)
      expect(() => openSealKey(path)).toThrow(/Can't read .*seal-key\.json/)
      expect(readFileSync(path, 'utf8')).toBe(content)
    },
  )

  it('replaces a file completely or not at all, and leaves no drafts behind', () => {
    const home = scratchFolder()
    const path = join(home, 'x.json')
    writeJson(path, { a: 1 })
    writeJson(path, { a: 2 })
    expect(readJson(path)).toEqual({ a: 2 })
    // The target is a folder, so the last step fails.
    expect(() => writeAtomic(home, 'text')).toThrow()
    expect(readdirSync(home)).toEqual(['x.json'])
    expect(readJson(join(home, 'missing.json'))).toBeUndefined()
  })
})
