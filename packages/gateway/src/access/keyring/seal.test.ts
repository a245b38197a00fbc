import { expect, it } from 'vitest'
import { keyIdOf, sealingKey } from './seal.ts'

const key = sealingKey('a random text of at least 32 characters')
const other = sealingKey('another random text with 32 characters')

it('opens what it sealed, in the same place only, and seals it differently each time', () => {
  const sealed = key.seal('two_factor/secret/ann', 'ÄBC 123')
  expect(key.seal('two_factor/secret/ann', 'ÄBC 123')).not.toBe(sealed)
  expect(key.open('two_factor/secret/ann', sealed)).toBe('ÄBC 123')
  expect(key.open('two_factor/secret/bob', sealed)).toBeUndefined()
  expect(key.open('two_factor/backupCodes/ann', sealed)).toBeUndefined()
})

it('names its key, and no other key opens it', () => {
  const sealed = key.seal('place', 'text')
  expect(keyIdOf(sealed)).toBe(key.id)
  expect(other.id).not.toBe(key.id)
  expect(other.open('place', sealed)).toBeUndefined()
  expect(other.open('place', sealed.replace(key.id, other.id))).toBeUndefined()
  expect(sealingKey('a random text of at least 32 characters').open('place', sealed)).toBe('text')
})

it('opens nothing that was changed or cut', () => {
  const sealed = key.seal('place', 'a longer text')
  const start = sealed.lastIndexOf(':') + 1
  for (let at = start; at < sealed.length - 1; at++) {
    const changed = sealed.slice(0, at) + (sealed[at] === 'A' ? 'B' : 'A') + sealed.slice(at + 1)
    expect(key.open('place', changed)).toBeUndefined()
    expect(key.open('place', sealed.slice(0, at))).toBeUndefined()
  }
})

it('takes no other text for a sealed one', () => {
  for (const text of ['', 'plain', 'sealed:', `sealed:${key.id}:`, '0f'.repeat(60)])
    expect(keyIdOf(text)).toBeUndefined()
})
