import { describe, expect, it } from 'vitest'
import { countByCapability, isProduct } from './product-lines.ts'

describe('the product', () => {
  it.each([
    'packages/gateway/src/http/server.ts',
    'packages/console/src/pages/keys/page.tsx',
    'packages/console/src/style/base.css',
  ])('has %s', (path) => {
    expect(isProduct(path)).toBe(true)
  })

  it.each([
    'packages/gateway/src/http/server.test.ts',
    'packages/gateway/src/http/server.long.test.ts',
    'packages/gateway/src/store/contract/keys.ts',
    'packages/gateway/src/store/keys.contract.ts',
    'packages/gateway/src/testing/world.ts',
    'packages/gateway/src/fleet/simulator/main.ts',
    'packages/gateway/src/store/migrations/0001.ts',
    'packages/console/src/api/schema.d.ts',
    'packages/seal/bin/hearth-seal.cjs',
    'e2e/console/looks.ts',
  ])('does not have %s', (path) => {
    expect(isProduct(path)).toBe(false)
  })

  it('is counted by what its lines are for, the most lines first', () => {
    const sources = new Map([
      ['packages/chat/src/errors.ts', 'one\n'],
      ['packages/gateway/src/fleet/fleet.ts', 'one\ntwo\nthree\n'],
      ['packages/gateway/src/http/server.ts', 'one\n'],
      ['packages/gateway/src/http/server.test.ts', 'one\n'],
      ['packages/new/src/index.ts', 'one\n'],
    ])

    expect(countByCapability(sources)).toStrictEqual([
      { capability: 'fleet', lines: 3 },
      { capability: 'API', lines: 2 },
      { capability: 'everything else', lines: 1 },
    ])
  })
})
