import { Ajv2020 } from 'ajv/dist/2020.js'
import { describe, expect, it } from 'vitest'
import { schemaToGrammar } from '../schema-to-grammar.ts'
import { SchemaError } from '../schema/schema-error.ts'
import type { SchemaObject } from '../schema/schema-object.ts'
import { createChance } from '../testing/random-schema.ts'
import { randomUniqueSchema } from '../testing/random-unique-schema.ts'
import { randomWriting, type RandomWriting } from '../testing/random-writer.ts'
import { ItemFollower, type FollowedItems } from './item-follower.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false, logger: false })

/** Undefined if the schema is rejected, or needs no follower. */
function followerOf(schema: SchemaObject): ItemFollower | undefined {
  try {
    const { tree } = schemaToGrammar(schema)
    return tree && new ItemFollower(tree)
  } catch (error) {
    if (error instanceof SchemaError) return undefined
    throw error
  }
}

function write(seed: number): { schema: SchemaObject; writing: RandomWriting } | undefined {
  const schema = randomUniqueSchema(seed)
  const follower = followerOf(schema)
  return follower && { schema, writing: randomWriting(follower, createChance(seed)) }
}

const unique = (items: SchemaObject) => followerOf({ type: 'array', items, uniqueItems: true })!
const strings = () => unique({ type: 'string' })

function follow(follower: ItemFollower, ...pieces: string[]): FollowedItems | undefined {
  return pieces.reduce<FollowedItems | undefined>(
    (place, piece) => place && follower.follow(place, Buffer.from(piece)),
    follower.start(),
  )
}

describe('ItemFollower', () => {
  it('lets nothing through that repeats an item, and leaves a way out of every text, for random schemas', () => {
    const seeds = Array.from({ length: 300 }, (_, index) => index + 1)
    const written = seeds.flatMap((seed) => write(seed) ?? [])
    expect(written.length).toBeGreaterThan(180)
    expect(written.filter(({ writing }) => writing.end === 'stuck')).toEqual([])
    const complete = written.filter(({ writing }) => writing.end === 'complete')
    expect(complete.filter(({ schema, writing }) => !ajv.compile(schema)(JSON.parse(writing.text)))).toEqual([])
  })

  it('keeps a string open that would be a repetition, and ends any other, in several ways from one place', () => {
    const follower = strings()
    const open = follow(follower, '["a", "a')!
    expect(follower.followText(open, 'b"]')?.ways.isComplete).toBe(true)
    expect(follower.followText(open, '"')).toBeUndefined()
    expect(follower.followText(open, 'c"]')?.ways.isComplete).toBe(true)
    expect(follow(follower, '["a", "b", "a"')).toBeUndefined()
  })

  it('lets a number continue that can’t end yet', () => {
    const follower = unique({ type: 'integer' })
    const open = follow(follower, '[1,1')!
    expect([',', ']', ' '].map((next) => follower.followText(open, next))).toEqual([undefined, undefined, undefined])
    expect(follower.followText(open, '2]')?.ways.isComplete).toBe(true)
  })

  it('allows no comma after the last value, and no value without another one that has to follow', () => {
    const values = { enum: Array.from({ length: 12 }, (_, index) => index) }
    const all = values.enum.join()
    const follower = unique(values)
    expect(follow(follower, `[${all}`, ',')).toBeUndefined()
    expect(follow(follower, `[${all}`, ']')?.ways.isComplete).toBe(true)
    const pair = { type: 'object', properties: { a: { type: 'string' }, b: { type: 'boolean' } }, required: ['a', 'b'] }
    const pairs = unique(pair)
    const both = '[{"a":"x","b":true},{"a":"x","b":false},{"a":"x'
    expect(follow(pairs, both, '"')).toBeUndefined()
    expect(follow(pairs, both, 'y","b":true}]')?.ways.isComplete).toBe(true)
  })

  it('reads tokens that end inside a character', () => {
    const follower = strings()
    const bytes = Buffer.from('["é🙂","é🙂"')
    const cuts = Array.from(bytes, (_, index) => index).slice(1)
    for (const cut of cuts) {
      const begun = follower.follow(follower.start(), bytes.subarray(0, cut))!
      expect(follower.follow(begun, bytes.subarray(cut))).toBeUndefined()
    }
    expect(follower.allows('["é🙂","é"]')).toBe(true)
  })

  it('takes no byte that only a repetition could follow, and none that isn’t UTF-8', () => {
    const follower = unique({ type: 'string', pattern: '^([a-céè]|x+)$' })
    const [e, lead] = [follow(follower, '["é","')!, Uint8Array.of(0xc3)]
    expect(follower.follow(e, lead)).toBeDefined()
    expect(follower.follow(follow(follower, '["é","è","')!, lead)).toBeUndefined()
    const open = follow(strings(), '["a","')!
    for (const bytes of [[0xc0], [0xc1, 0x80], [0xe0, 0x80], [0xed, 0xa0], [0xf4, 0x90], [0xf5], [0x80], [0xc3, 0x22]])
      expect([bytes, strings().follow(open, Uint8Array.from(bytes))]).toEqual([bytes, undefined])
    for (const bytes of [[0xc2], [0xe0, 0xa0], [0xed, 0x9f], [0xf0, 0x90], [0xf4, 0x8f]])
      expect(strings().follow(open, Uint8Array.from(bytes))).toBeDefined()
  })

  it('ends an array after 1,000 items, and keeps no more of the text than the open item', () => {
    const follower = strings()
    const items = Array.from({ length: 1000 }, (_, index) => `"${index} ${'long '.repeat(20)}"`)
    const place = follow(follower, '[', ...items.map((item, index) => (index === 0 ? item : `,${item}`)))!
    expect(follower.followText(place, ',"another"')).toBeUndefined()
    expect(follower.followText(place, ']')?.ways.isComplete).toBe(true)
    expect(place.text).toBe('')
  })

  it('remembers long items', () => {
    const [long, other] = ['x'.repeat(5000), `${'x'.repeat(4999)}y`]
    expect(strings().allows(`["${long}","${other}"]`)).toBe(true)
    expect(strings().allows(`["${long}","${other}","${long}"]`)).toBe(false)
  })
})
