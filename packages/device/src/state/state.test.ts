import { chmodSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, describe, expect, it } from 'vitest'
import { findCredential, loadCredential, saveCredential } from './credential.ts'
import { openSealKey } from './seal-key.ts'
import { readJson, writeAtomic, writeJson } from '@hearth/command-line/files/write-atomic'

const folders: string[] = []
function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'hearth-state-'))
  folders.push(path)
  return path
}
afterEach(() => folders.splice(0).forEach((path) => rmSync(path, { recursive: true, force: true })))

const login = { gateway: 'https://g', device: 'd', organization: 'o', name: 'studio', credential: 'secret' }

describe('the state folder', () => {
  it('[U4] lets only the owner read the credential', () => {
    const path = join(folder(), 'deep', 'credential.json')
    saveCredential(path, login)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(loadCredential(path)).toEqual(login)
    chmodSync(path, 0o644)
    loadCredential(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('says how to log in if the credential is missing or damaged', () => {
    const path = join(folder(), 'credential.json')
    expect(findCredential(path)).toBeUndefined()
    expect(() => loadCredential(path)).toThrow(/not logged in/)
    writeFileSync(path, '{"gateway": ')
    expect(() => loadCredential(path)).toThrow(/damaged/)
    writeFileSync(path, '{"gateway": "https://g"}')
    expect(() => loadCredential(path)).toThrow(/"device" is missing/)
  })

  it('makes the key for sealed requests once, and lets only the owner read it', () => {
    const path = join(folder(), 'deep', 'seal-key.json')
    const key = openSealKey(path)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    chmodSync(path, 0o644)
    expect(openSealKey(path)).toEqual(key)
    expect(statSync(path).mode & 0o777).toBe(0o600)
    expect(openSealKey(join(folder(), 'seal-key.json')).publicKey).not.toBe(key.publicKey)
  })

  it.each(['{"privateKey": ', '{}', '{"publicKey": "AAAA", "privateKey": "AAAA"}', '{"privateKey": 7}'])(
    'never replaces a damaged key for sealed requests: %s',
    (content) => {
      const path = join(folder(), 'seal-key.json')
      writeFileSync(path, content)
      expect(() => openSealKey(path)).toThrow(/Can't read .*seal-key\.json/)
      expect(readFileSync(path, 'utf8')).toBe(content)
    },
  )

  it('[U5] replaces a file completely or not at all, and leaves no drafts behind', () => {
    const home = folder()
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
