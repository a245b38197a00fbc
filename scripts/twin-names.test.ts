import { describe, expect, it } from 'vitest'
import { findTwins } from './twin-names.ts'

describe('findTwins', () => {
  const find = (...files: (readonly [path: string, text: string])[]) =>
    findTwins(new Map(files)).map(({ name, files: found }) => [name, ...found])

  it.each([
    ['functions', 'export function answer() {}', 'export async function answer() {}'],
    ['classes', 'export class Answer {}', 'export abstract class Answer {}'],
    ['constants', 'export const ANSWER = 1', 'export const ANSWER = 2'],
    ['types', 'export type Answer = string', 'export interface Answer {}'],
    ['a type and a value', 'export type Answer = string', 'export class Answer {}'],
    ['generators', 'export function* answer() {}', 'export async function* answer() {}'],
  ])('finds %s of one name', (_what, one, other) => {
    const found = find(['packages/a/src/one.ts', one], ['packages/a/src/deep/other.ts', other])

    expect(found).toEqual([
      [expect.stringMatching(/^a answer$/i), 'packages/a/src/deep/other.ts', 'packages/a/src/one.ts'],
    ])
  })

  it('finds a name once, however many files have it', () => {
    const text = 'export const answer = 1'

    expect(find(['packages/a/src/1.ts', text], ['packages/a/src/2.ts', text], ['packages/a/src/3.ts', text])).toEqual([
      ['a answer', 'packages/a/src/1.ts', 'packages/a/src/2.ts', 'packages/a/src/3.ts'],
    ])
  })

  it('allows the same name in two packages', () => {
    const text = 'export const answer = 1'

    expect(find(['packages/a/src/one.ts', text], ['packages/b/src/one.ts', text])).toEqual([])
  })

  it('allows names that are not exported, and overloads', () => {
    const overloads = 'export function answer(): void\nexport function answer(is?: true): void {}'

    expect(find(['packages/a/src/one.ts', overloads], ['packages/a/src/two.ts', 'function answer() {}'])).toEqual([])
  })

  it('allows a name to be passed on', () => {
    const passedOn =
      "export { answer } from './one.ts'\nexport * from './one.ts'\nexport type { Answer } from './one.ts'"

    expect(find(['packages/a/src/one.ts', 'export const answer = 1'], ['packages/a/src/index.ts', passedOn])).toEqual(
      [],
    )
  })

  it.each([
    'two.test.ts',
    'two.contract.ts',
    'testing/two.ts',
    'deep/testing/two.ts',
    'contract/two.ts',
    'simulator/two.ts',
  ])('leaves out %s', (path) => {
    const text = 'export const answer = 1'

    expect(find(['packages/a/src/one.ts', text], [`packages/a/src/${path}`, text])).toEqual([])
  })
})
