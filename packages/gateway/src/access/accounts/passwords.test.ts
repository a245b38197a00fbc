import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import {
  PASSWORDS_AT_ONCE,
  hashPassword,
  isOutdated,
  MOST_PASSWORDS_WAITING,
  verifyPassword,
  WORK,
  workLess,
} from './passwords.ts'

/** Files share a process, and others work less. */
const LESS = { N: 2, r: 1, p: 1 }
beforeEach(() => workLess(WORK))
afterEach(() => workLess(LESS))

const PASSWORD = 'correct horse battery'
/** As the account library writes it. */
const FIRST =
  '38f6b6b4adb480c3e22bdaf2823461da:cc7aa7859e03e3b111db13fb71e2429bad13f1a6cc3fbb8163aea850f070b25b75020f3055d531de282713857639f2a5ea8f3b5d40b9501ccc5f66d995941783'

describe('a hash of a password', () => {
  it('takes the work that OWASP asks for, has a salt, and is verified', async () => {
    const [hash, other] = await Promise.all([hashPassword(PASSWORD), hashPassword(PASSWORD)])
    expect(hash).toMatch(/^\$scrypt\$ln=15,r=8,p=3\$[\w+/]{22}\$[\w+/]{86}$/)
    expect(other).not.toBe(hash)
    expect(isOutdated(hash)).toBe(false)
    expect(await verifyPassword({ hash, password: PASSWORD })).toBe(true)
    expect(await verifyPassword({ hash, password: `${PASSWORD}!` })).toBe(false)
  })

  it('of an earlier version is verified too, and known to be outdated', async () => {
    expect(await verifyPassword({ hash: FIRST, password: PASSWORD })).toBe(true)
    expect(await verifyPassword({ hash: FIRST, password: 'another' })).toBe(false)
    expect(isOutdated(FIRST)).toBe(true)
  })

  it('does not depend on how a letter is composed, and is none if it looks like something else', async () => {
    workLess(LESS)
    const hash = await hashPassword('caf\u00e9 au lait')
    expect(await verifyPassword({ hash, password: 'cafe\u0301 au lait' })).toBe(true)
    await expect(verifyPassword({ hash: 'plain', password: 'plain' })).rejects.toThrow('unknown password hash')
  })
})

it('a crowd waits its turn, and only so many wait', async () => {
  workLess({ N: 1024, r: 8, p: 1 })
  const most = PASSWORDS_AT_ONCE + MOST_PASSWORDS_WAITING
  const answers = await Promise.allSettled(Array.from({ length: most + 3 }, () => hashPassword(PASSWORD)))
  const failed = answers.filter(({ status }) => status === 'rejected')
  expect(failed).toHaveLength(3)
  expect(failed).toMatchObject(failed.map(() => ({ reason: { code: 'service_unavailable', status: 503 } })))
  // Afterwards there is room again.
  expect(await hashPassword(PASSWORD)).toContain('$scrypt$')
})
