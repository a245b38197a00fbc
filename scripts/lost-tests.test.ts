import { describe, expect, it } from 'vitest'
import { findLostTests } from './lost-tests.ts'

describe('findLostTests', () => {
  it.each([
    ['the file beside it', ['src/a/b.ts', 'src/a/b.test.ts']],
    ['a component', ['src/a/b.tsx', 'src/a/b.test.tsx']],
    ['a script', ['scripts/b.mjs', 'scripts/b.test.ts']],
    ['a contract', ['src/a/b.contract.ts', 'src/a/b.test.ts']],
    ['one thing of the file beside it', ['src/a/b.ts', 'src/a/b.what.test.ts', 'src/a/b.what.long.test.ts']],
    ['its folder', ['src/a/b.ts', 'src/a/a.test.ts', 'src/a/a.what.test.ts']],
    ['its package', ['packages/seal/src/b.ts', 'packages/seal/src/seal.test.ts']],
  ])('leaves out a test of %s', (_what, paths) => {
    expect(findLostTests(paths)).toEqual([])
  })

  it.each([
    ['a file elsewhere', ['src/b.ts', 'src/a/b.test.ts']],
    ['another test', ['src/a/b.what.test.ts', 'src/a/b.test.ts']],
    ['part of a name', ['src/a/b-c.ts', 'src/a/b.test.ts']],
    ['a folder below', ['src/a/b/c.ts', 'src/a/b.test.ts']],
  ])('finds a test that only %s is named like', (_what, paths) => {
    expect(findLostTests(paths)).toContain('src/a/b.test.ts')
  })
})
