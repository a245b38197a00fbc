import { describe, expect, it } from 'vitest'
import { COMMON_PASSWORDS } from './common-passwords.ts'
import { LONGEST_PASSWORD } from './bounds.ts'
import { judgePassword } from './judge-password.ts'

function reasonOf(password: string, email?: string): string {
  const verdict = judgePassword(password, email)
  return verdict.kind === 'rejected' ? verdict.reason : verdict.strength
}

describe('a new password', () => {
  it('is none of the 10,000 most common ones, in any case and with digits after it', () => {
    expect(COMMON_PASSWORDS.size).toBeGreaterThan(9_900)
    const variations = [...COMMON_PASSWORDS].flatMap((word) => [word, word.toUpperCase(), `${word}12`, `${word}2026`])
    const accepted = variations.filter((password) => judgePassword(password).kind === 'accepted')
    expect(accepted).toEqual([])
  })

  it.each([
    'password12',
    'Password123!',
    'p4$$w0rd2026',
    'monkeydragon',
    'aaaaaaaaaaaaaaa',
    'abcdefghijkl',
    '9876543210',
  ])('is not as easy to guess as %s', (password) => expect(reasonOf(password)).toBe('guessable'))

  it.each([
    ['Olga.Petrova99 forever', 'olga.petrova@acme.test'],
    ['the petrova family car', 'olga.petrova@acme.test'],
    ['0lga.petr0va and a cat', 'olga.petrova@acme.test'],
  ])('does not contain the name in the email address: %s', (password, email) => {
    expect(reasonOf(password, email)).toBe('email')
  })

  it('may contain a short name, which many words do', () => {
    expect(judgePassword('channel annoys cabbage', 'ann@acme.test').kind).toBe('accepted')
  })

  it.each(['my hearth is warm tonight', 'H3arth-4711-xyz'])(
    'does not contain the name of the product: %s',
    (password) => {
      expect(reasonOf(password)).toBe('product')
    },
  )

  it('has a length between the bounds', () => {
    expect(reasonOf('x7#kQ2!pZ')).toBe('too-short')
    expect(reasonOf('x7#kQ2!pZv')).not.toBe('too-short')
    expect(reasonOf('ab7#'.repeat(LONGEST_PASSWORD))).toBe('too-long')
  })

  it.each([
    ['dragon8274!', 'fair'],
    ['correct horse battery', 'good'],
    ['xkqjvbzwmp', 'good'],
    ['velvet otter plays chess at noon', 'strong'],
    ['x7#kQ2!pZv9&mWt4', 'strong'],
  ])('shows how hard it is to guess: %s is %s', (password, strength) => {
    expect(reasonOf(password)).toBe(strength)
  })
})
