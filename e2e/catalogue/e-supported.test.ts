import { numberedText } from '@hearth/gateway/testing'
import { afterAll, beforeEach, describe, expect, it } from 'vitest'
import { expectCompletion, expectError } from '../harness/client/expect-reply.ts'
import { FULL, HI, lastJob, PLAIN, startSystem } from '../harness/start-system.ts'

// Uses the device without any features: these fields always work.
const system = await startSystem()
afterAll(async () => system[Symbol.asyncDispose]())
const { client, plain } = system

beforeEach(() => {
  plain.plan = {}
})

async function ask(fields: object) {
  return client.post({ model: PLAIN, messages: HI, ...fields })
}

async function accepted(fields: object) {
  const completion = expectCompletion(await ask(fields))
  const { model: _, messages: __, ...rest } = lastJob(plain)
  return { choice: completion.choices[0]!, job: rest }
}

const DECIMALS: [field: string, job: string, min: number, max: number][] = [
  ['temperature', 'temperature', 0, 2],
  ['top_p', 'topP', 0, 1],
  ['frequency_penalty', 'frequencyPenalty', -2, 2],
  ['presence_penalty', 'presencePenalty', -2, 2],
]

describe('numbers', () => {
  it.each([
    ['[E45] temperature', ...DECIMALS[0]!],
    ['[E47] top_p', ...DECIMALS[1]!],
    ['[E53] frequency_penalty', ...DECIMALS[2]!],
    ['[E53] presence_penalty', ...DECIMALS[3]!],
  ])('%s has its bounds', async (_, field, job, min, max) => {
    for (const value of [max, min + 0.125])
      expect((await accepted({ [field]: value })).job).toStrictEqual({ [job]: value })
    await accepted({ [field]: min })
    await accepted({ [field]: 1.0 })
    expect((await accepted({ [field]: null })).job).toStrictEqual({})
    const below = expectError(await ask({ [field]: min - 0.1 }), {
      status: 400,
      code: 'decimal_below_min_value',
      param: field,
    })
    const above = expectError(await ask({ [field]: max + 0.1 }), {
      status: 400,
      code: 'decimal_above_max_value',
      param: field,
    })
    expect(below.message).toContain(`>= ${min}`)
    expect(above.message).toContain(`<= ${max}`)
    for (const value of ['0.5', true, [], {}])
      expectError(await ask({ [field]: value }), { status: 400, code: 'invalid_type', param: field })
  })

  it('[E45] keeps temperature 0', async () => {
    expect((await accepted({ temperature: 0 })).job).toStrictEqual({ temperature: 0 })
    expect((await accepted({ top_p: 0 })).job).toStrictEqual({ topP: 0 })
  })

  it('[E46] repeats itself at temperature 0', async () => {
    const first = await accepted({ temperature: 0 })
    const second = await accepted({ temperature: 0 })
    expect(second).toStrictEqual(first)
    expect(first.choice.message.content).toBe(numberedText(8))
  })

  it.each(['max_tokens', 'max_completion_tokens'])('[E48a] cuts off a completion after %s', async (field) => {
    const { choice, job } = await accepted({ [field]: 1 })
    expect(job).toStrictEqual({ maxTokens: 1 })
    expect(choice).toMatchObject({ finish_reason: 'length', message: { content: 't0' } })
    expect((await accepted({ [field]: 1.0 })).choice.finish_reason).toBe('length')
    expect((await accepted({ [field]: 5000 })).choice.finish_reason).toBe('stop')
  })

  it.each(['max_tokens', 'max_completion_tokens'])(
    '[E48] [E49a] rejects a %s that is not a whole number from 1',
    async (field) => {
      for (const value of [0, -1])
        expectError(await ask({ [field]: value }), { status: 400, code: 'integer_below_min_value', param: field })
      for (const value of [1.5, '5', true, []])
        expectError(await ask({ [field]: value }), { status: 400, code: 'invalid_type', param: field })
    },
  )

  it('[E49] [E49a] prefers max_completion_tokens, and checks both', async () => {
    const { job, choice } = await accepted({ max_completion_tokens: 2, max_tokens: 50 })
    expect(job).toStrictEqual({ maxTokens: 2 })
    expect(choice.message.content).toBe(numberedText(2))
    expect((await accepted({ max_completion_tokens: null, max_tokens: 3 })).job).toStrictEqual({ maxTokens: 3 })
    expectError(await ask({ max_completion_tokens: 2, max_tokens: 0 }), {
      status: 400,
      code: 'integer_below_min_value',
      param: 'max_tokens',
    })
  })
})

describe('stop', () => {
  it.each([
    ['x', ['x']],
    [['x'], ['x']],
    [
      ['a', 'b', 'c', 'd'],
      ['a', 'b', 'c', 'd'],
    ],
  ])('[E50] accepts %j', async (stop, expected) => {
    expect((await accepted({ stop })).job).toStrictEqual({ stop: expected })
  })

  it('[E50] accepts no more than four strings', async () => {
    const error = expectError(await ask({ stop: ['a', 'b', 'c', 'd', 'e'] }), {
      status: 400,
      code: 'array_above_max_length',
      param: 'stop',
    })
    expect(error.message).toContain('4')
    expectError(await ask({ stop: [1] }), { status: 400, code: 'invalid_type', param: 'stop[0]' })
    expectError(await ask({ stop: ['a', null] }), { status: 400, code: 'invalid_type', param: 'stop[1]' })
    for (const stop of [5, {}, true])
      expectError(await ask({ stop }), { status: 400, code: 'invalid_type', param: 'stop' })
  })

  it('[E50a] accepts 256 characters and no more', async () => {
    await accepted({ stop: 'x'.repeat(256) })
    expectError(await ask({ stop: 'x'.repeat(257) }), { status: 400, code: 'string_above_max_length', param: 'stop' })
    expectError(await ask({ stop: ['a', 'x'.repeat(257)] }), {
      status: 400,
      code: 'string_above_max_length',
      param: 'stop[1]',
    })
  })

  it.each([[''], [[]], [['']], [null], [['', '']]])('[E51] sends nothing for %j', async (stop) => {
    const { job, choice } = await accepted({ stop })
    expect(job).toStrictEqual({})
    expect(choice.message.content).toBe(numberedText(8))
  })

  it('[E51] drops only the empty ones', async () => {
    expect((await accepted({ stop: ['', 'x', ''] })).job).toStrictEqual({ stop: ['x'] })
  })

  it.each([
    ['t3', 't0 t1 t2 t3'],
    ['2 t3', 't0 t1 t2 t3'],
    [['zz', '1 t2 t'], 't0 t1 t2 t'],
  ])('[E52] ends with the stop sequence %j', async (stop, text) => {
    const { choice } = await accepted({ stop })
    expect(choice).toMatchObject({ finish_reason: 'stop', message: { content: text } })
    const stream = await client.stream({ model: PLAIN, messages: HI, stop })
    expect(stream.texts).toStrictEqual([text])
    expect(stream.finishes).toStrictEqual(['stop'])
  })
})

describe('stream', () => {
  it.each([false, null])('[E54] gives a whole reply if it is %s', async (stream) => {
    await accepted({ stream })
  })

  it.each(['true', 1, 0, '', {}, []])('[E54] rejects %j', async (stream) => {
    expectError(await ask({ stream }), { status: 400, code: 'invalid_type', param: 'stream' })
  })

  it('[E54] streams if it is true', async () => {
    const stream = await client.stream({ model: FULL, messages: HI })
    expect(stream.texts).toStrictEqual([numberedText(8)])
  })
})
