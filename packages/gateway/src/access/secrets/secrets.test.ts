import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import {
  createCredential,
  createEnrolmentToken,
  createKey,
  digestSecret,
  isCredential,
  isEnrolmentToken,
  isKey,
} from './secrets.ts'

const BASE62 = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

const kinds = [
  { name: 'key', create: createKey, check: isKey, shape: /^sk-hearth-[0-9A-Za-z]{38}$/ },
  { name: 'device credential', create: createCredential, check: isCredential, shape: /^hd-hearth-[0-9A-Za-z]{38}$/ },
  {
    name: 'enrolment token',
    create: createEnrolmentToken,
    check: isEnrolmentToken,
    shape: /^he-hearth-[0-9A-Za-z]{38}$/,
  },
]

describe.each(kinds)('a $name', ({ create, check, shape }) => {
  it('has the documented format, passes its own check and is different every time', () => {
    const secrets = Array.from({ length: 200 }, create)
    for (const { key } of secrets) {
      expect(key).toMatch(shape)
      expect(check(key)).toBe(true)
    }
    expect(new Set(secrets.map(({ key }) => key)).size).toBe(secrets.length)
  })

  it('[P2] comes with a digest and its last four characters', () => {
    const { key, digest, hint } = create()
    expect(digest).toBe(digestSecret(key))
    expect(digest).toMatch(/^[0-9a-f]{64}$/)
    expect(key.endsWith(hint)).toBe(true)
    expect(hint).toHaveLength(4)
  })

  it('is rejected after any one-character change', () => {
    const { key } = create()
    const character = fc.constantFrom(...BASE62.split(''), '-', ' ', 'é', '\n')
    fc.assert(
      fc.property(fc.nat({ max: key.length - 1 }), character, (place, other) => {
        fc.pre(key[place] !== other)
        expect(check(key.slice(0, place) + other + key.slice(place + 1))).toBe(false)
      }),
      { numRuns: 2_000 },
    )
  })

  it('is rejected with a character missing, doubled, or swapped with its neighbor', () => {
    const { key } = create()
    for (let place = 0; place < key.length; place++) {
      expect(check(key.slice(0, place) + key.slice(place + 1))).toBe(false)
      expect(check(key.slice(0, place) + key[place] + key.slice(place))).toBe(false)
      const swapped = key.slice(0, place) + (key[place + 1] ?? '') + key[place] + key.slice(place + 2)
      if (swapped !== key) expect(check(swapped)).toBe(false)
    }
  })

  it('is never random text, not even in the right format', () => {
    const prefix = create().key.slice(0, 10)
    const body = fc.array(fc.constantFrom(...BASE62.split('')), { minLength: 38, maxLength: 38 })
    fc.assert(fc.property(fc.string(), (text) => !check(text)))
    fc.assert(fc.property(body, (characters) => !check(prefix + characters.join(''))))
  })
})

it('kinds of secrets are not mistaken for each other', () => {
  const { key } = createKey()
  expect([isCredential(key), isEnrolmentToken(key)]).toEqual([false, false])
  expect(isKey(createCredential().key)).toBe(false)
  expect(isCredential(key.replace('sk-', 'hd-'))).toBe(false)
})
