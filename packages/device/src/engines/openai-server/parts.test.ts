import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { readChunk } from './http/chunk.ts'
import { findUnenforced } from './request/schema-parts.ts'
import { readServerAddress } from './http/server-address.ts'
import { readEvents } from './http/sse.ts'
import { ThinkTags } from './reply/think-tags.ts'
import { ToolCallParts } from './reply/tool-call-parts.ts'

describe('readServerAddress', () => {
  it.each([
    ['http://127.0.0.1:11434', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/v1', 'http://127.0.0.1:11434'],
    ['http://127.0.0.1:11434/v1/', 'http://127.0.0.1:11434'],
    ['localhost:8080', 'http://localhost:8080'],
    ['https://models.example/gpu/v1', 'https://models.example/gpu'],
  ])('reads %s', (text, root) => {
    expect(readServerAddress(text)).toEqual({ root })
  })

  it.each(['ftp://example', 'http://', 'not a url', 'http://me:secret@localhost'])('rejects %s', (text) => {
    expect(() => readServerAddress(text)).toThrow(/use an address like http|leave out the user name/)
  })
})

describe('readEvents', () => {
  const read = async (pieces: readonly Buffer[]): Promise<string[]> => {
    const events: string[] = []
    async function* body(): AsyncGenerator<Buffer> {
      yield* pieces
    }
    for await (const event of readEvents(body())) events.push(event)
    return events
  }

  it('reads any line ending, comments and several data lines, split anywhere', async () => {
    const text = Buffer.from('data: 1\n\n: hi\r\nevent: x\r\ndata:2\r\n\r\ndata: a\ndata: é\n\ndata: last')
    await fc.assert(
      fc.asyncProperty(fc.array(fc.nat(text.length), { maxLength: 8 }), async (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
        const pieces = at.slice(1).map((end, index) => text.subarray(at[index], end))
        expect(await read(pieces)).toEqual(['1', '2', 'a\né', 'last'])
      }),
    )
  })
})

describe('readChunk', () => {
  it('never throws, whatever a server sends', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        const chunk = readChunk({ choices: [value, { delta: value, logprobs: value }], usage: value, timings: value })
        expect(chunk.choices).toHaveLength(2)
      }),
    )
  })

  it('cuts log probabilities to what the gateway accepts', () => {
    const token = { token: 't'.repeat(5_000), logprob: -1, bytes: Array.from({ length: 600 }, () => 1) }
    const content = [{ ...token, top_logprobs: Array.from({ length: 30 }, () => token) }]
    const [read] = readChunk({ choices: [{ delta: {}, logprobs: { content } }] }).choices[0]!.logprobs
    const sizes = (one: { token: string; bytes: number[] }) => [one.token.length, one.bytes.length]
    expect([...sizes(read!), read!.top.length, ...sizes(read!.top[0]!)]).toEqual([4_096, 512, 20, 4_096, 512])
  })

  it('reads text from content parts', () => {
    const content = [
      { type: 'text', text: 'a' },
      { type: 'text', text: 'b' },
    ]
    expect(readChunk({ choices: [{ message: { content } }] }).choices[0]?.text).toBe('ab')
  })
})

describe('ThinkTags', () => {
  const show = (pieces: readonly string[]): string => {
    const tags = new ThinkTags(false)
    const shown = pieces.map((piece) => tags.push(Buffer.from(piece)).bytes)
    return Buffer.concat([...shown, tags.flush()]).toString()
  }

  it('hides the text between the tags, split anywhere', () => {
    const text = '\n<think>\nLet <me> think é\n</think>\n\n Hello <think> again'
    fc.assert(
      fc.property(fc.array(fc.nat(text.length), { maxLength: 8 }), (cuts) => {
        const at = [0, ...cuts.toSorted((a, b) => a - b), text.length]
        expect(show(at.slice(1).map((end, index) => text.slice(at[index], end)))).toBe('Hello <think> again')
      }),
    )
  })

  it('leaves other text unchanged', () => {
    fc.assert(
      fc.property(fc.array(fc.string({ unit: 'grapheme' })), (pieces) => {
        fc.pre(!pieces.join('').trimStart().startsWith('<think>'))
        expect(show(pieces)).toBe(pieces.join(''))
      }),
    )
  })

  it.each([
    '[THINK]hm[/THINK]',
    '<mm:think>hm</mm:think>',
    '<seed:think>hm</seed:think>',
    '<|channel>thought\nhm<channel|>',
  ])('hides %s', (thinking) => {
    expect(show([`${thinking}\nHello`])).toBe('Hello')
    expect(show([...Array.from(thinking), 'H', 'i'])).toBe('Hi')
  })

  it('shows the start of a tag that never became one', () => {
    expect(show(['<thi'])).toBe('<thi')
  })
})

describe('ToolCallParts', () => {
  const gather = (...parts: Parameters<ToolCallParts['push']>[0][]) => {
    const calls = new ToolCallParts()
    for (const part of parts) calls.push(part)
    return calls.take()
  }

  it('tells calls apart that all have index 0', () => {
    const calls = gather(
      { index: 0, id: 'a', name: 'f', arguments: '{}' },
      { index: 0, id: 'b', name: 'f', arguments: '{"x":1}' },
    )
    expect(calls).toMatchObject([
      { name: 'f', arguments: '{}' },
      { name: 'f', arguments: '{"x":1}' },
    ])
  })

  it('gives unique ids to calls with the same id, or none', () => {
    const calls = gather(
      { index: 0, id: 'a', name: 'f', arguments: '' },
      { index: 1, id: 'a', name: 'g', arguments: '' },
      { index: 2, name: 'h', arguments: '{}' },
    )
    expect(new Set(calls.map(({ id }) => id)).size).toBe(3)
    expect(calls.map(({ arguments: given }) => given)).toEqual(['{}', '{}', '{}'])
  })

  it('leaves out a call that was cut off', () => {
    expect(gather({ index: 0, id: 'a', name: 'f', arguments: '{"x":' })).toEqual([])
  })
})

describe('findUnenforced', () => {
  it('finds a keyword at any depth', () => {
    const deep = {
      type: 'object',
      properties: { list: { type: 'array', items: { anyOf: [{ type: 'string', minLength: 2 }] } } },
    }
    expect(findUnenforced(deep, [])).toEqual({ keyword: 'minLength', place: '#/properties/list/items/anyOf/0' })
    expect(findUnenforced(deep, ['length'])).toBeUndefined()
    expect(findUnenforced({ $defs: { a: { not: {} } } }, [])).toEqual({ keyword: 'not', place: '#/$defs/a' })
  })

  it('does not mistake property names for keywords', () => {
    expect(
      findUnenforced({ type: 'object', properties: { pattern: { type: 'string' }, not: { type: 'null' } } }, []),
    ).toBeUndefined()
  })

  it('tells integer ranges from number ranges', () => {
    expect(findUnenforced({ type: 'integer', minimum: 1 }, ['integer-range'])).toBeUndefined()
    expect(findUnenforced({ type: 'number', minimum: 1 }, ['integer-range'])?.keyword).toBe('minimum')
  })
})
