import { expect, it } from 'vitest'
import type { Caller } from './book/access-book.ts'
import { prefixScope } from './prefix-scope.ts'

function caller(key: string, separatesPrefixes?: true): Caller {
  return { key, organization: 'o', expiresAt: Infinity, ...(separatesPrefixes && { separatesPrefixes }) }
}

it('gives devices a name for each key that is always the same and does not contain its id', () => {
  const id = '0199c0de-1111-7222-8333-444455556666'
  const { name, isSeparate } = prefixScope(caller(id))
  expect([name, isSeparate]).toEqual([expect.stringMatching(/^[0-9a-f]{32}$/), undefined])
  expect(prefixScope(caller(id, true))).toEqual({ name, isSeparate: true })
  expect(prefixScope(caller(`${id}0`)).name).not.toBe(name)
  expect(id.replaceAll('-', '')).not.toContain(name.slice(0, 8))
})
