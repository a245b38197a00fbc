import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { addBegun, encodeFrame, encodeJobStart, joinFrames, parseDeviceFrames, parseGatewayFrames } from './codec.ts'
import type { DeviceFrame, GatewayFrame } from './frames.ts'
import { MAX_JOB_PARTS } from '../limits.ts'
import { ProtocolError } from '../read-fields.ts'
import { parseJobRequest } from '../job/read-chat-job.ts'
import { framesFrom, REQUESTS } from '../testing/golden-frames.ts'

const START = { type: 'job-start', job: 'j', attempt: 1, organization: 'o' } as const
const wrapped = { device: 'd', enc: 'e'.repeat(43), key: 'k'.repeat(64) }

type Parse = (message: string, visit: (frame: DeviceFrame | GatewayFrame) => void) => void

const ENDS: { end: string; parse: Parse; frames: (DeviceFrame | GatewayFrame)[] }[] = [
  { end: 'device', parse: parseDeviceFrames, frames: framesFrom('device') },
  { end: 'gateway', parse: parseGatewayFrames, frames: framesFrom('gateway') },
]

/** Every UTF-16 unit, lone surrogates included: a token may hold half a character. */
const TEXT = fc.array(fc.nat(0xffff), { maxLength: 40 }).map((units) => String.fromCharCode(...units))

function parseAll(parse: Parse, message: string): (DeviceFrame | GatewayFrame)[] {
  const frames: (DeviceFrame | GatewayFrame)[] = []
  parse(message, (frame) => frames.push(frame))
  return frames
}

function list<Item>(length: number, item: Item): Item[] {
  return Array.from({ length }, () => item)
}

/** What a job-start for a sealed request has. */
const sealed = (change: object, rest: object = { header: '{}', box: '', keys: [wrapped] }, more: object = {}) => ({
  request: { sealed: { ...rest, ...change }, model: 'm', ...more },
})
const continued = (begun: object[]) => sealed({ keys: [] }, undefined, { recovery: { begun } })

function rejection(parse: Parse, message: string): ProtocolError | undefined {
  try {
    parse(message, () => {})
    return undefined
  } catch (error) {
    if (error instanceof ProtocolError) return error
    throw error
  }
}

describe.each(ENDS)('frames from a $end', ({ parse, frames }) => {
  const frame = fc.constantFrom(...frames)

  it('may have unknown fields at every level, which are skipped', () => {
    fc.assert(
      fc.property(frame, fc.jsonValue(), (sent, value) => {
        expect(parseAll(parse, JSON.stringify(withFutureFields(sent, value)))).toStrictEqual([sent])
      }),
    )
  })

  it('of an unknown type are skipped', () => {
    const types = new Set(frames.map(({ type }): string => type))
    const unknown = fc.record({ type: fc.string().filter((type) => !types.has(type)), job: fc.jsonValue() })
    fc.assert(
      fc.property(frame, unknown, (known, newer) => {
        expect(parseAll(parse, JSON.stringify([newer, known, newer]))).toStrictEqual([known])
      }),
    )
  })

  it('keep their order in one message', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 8 }), (sent) => {
        expect(parseAll(parse, joinFrames(sent.map(encodeFrame)))).toStrictEqual(sent)
      }),
    )
  })

  it('count even if a malformed one follows', () => {
    fc.assert(
      fc.property(fc.array(frame, { maxLength: 4 }), frame, (before, after) => {
        const seen: unknown[] = []
        const message = `[${[...before.map(encodeFrame), '{"type":7}', encodeFrame(after)].join(',')}]`
        expect(() => parse(message, (parsed) => seen.push(parsed))).toThrow(ProtocolError)
        expect(seen).toStrictEqual(before)
      }),
    )
  })

  it('are rejected by the name of an invalid field', () => {
    for (const sent of frames)
      for (const [name, value] of Object.entries(sent)) {
        const invalid = typeof value === 'object' && !Array.isArray(value) ? 5 : {}
        expect(rejection(parse, JSON.stringify({ ...sent, [name]: invalid }))?.message).toContain(`"${name}"`)
      }
  })

  it('are read or rejected, whatever a field holds', () => {
    fc.assert(
      fc.property(frame, fc.nat(), fc.jsonValue(), (sent, pick, value) => {
        const names = Object.keys(sent)
        rejection(parse, JSON.stringify({ ...sent, [names[pick % names.length]!]: value }))
      }),
      { numRuns: 500 },
    )
  })

  it('are read or rejected, whatever the text', () => {
    fc.assert(fc.property(fc.oneof(TEXT, fc.json()), (message) => void rejection(parse, message)))
  })
})

describe('a delta', () => {
  it('has any text and any number as it was sent', () => {
    const token = fc.record({ token: TEXT, logprob: fc.double({ noNaN: true, noDefaultInfinity: true }) })
    fc.assert(
      fc.property(TEXT, token, (text, { token, logprob }) => {
        // JSON has no negative zero.
        const probability = { token, logprob: logprob + 0, bytes: [0, 255], top: [] }
        const place = { job: text, attempt: 1, sequence: 0, choice: 0 }
        const sent: DeviceFrame = { type: 'job-delta', ...place, text, logprobs: [probability] }
        expect(parseAll(parseDeviceFrames, encodeFrame(sent))).toStrictEqual([sent])
      }),
    )
  })
})

describe('malformed messages', () => {
  it.each(['', '{', 'null', '5', '"ping"', '[1]', '[[]]', '[null]', '{}', '{"type":null}', '{"type":["ping"]}'])(
    '%j is rejected by both ends',
    (message) => {
      expect(rejection(parseDeviceFrames, message)).toBeInstanceOf(ProtocolError)
      expect(rejection(parseGatewayFrames, message)).toBeInstanceOf(ProtocolError)
    },
  )

  it.each([
    ['a version that is an object', { protocols: [{ valueOf: 1, toString: 1 }] }, '"protocols"'],
    ['a version that is text', { protocols: ['1'] }, '"protocols"'],
    ['a model that is text', { models: ['qwen3'] }, '"models"'],
    ['a model without slots', { models: [{ name: 'qwen3', contextLength: 1, features: [] }] }, '"slots"'],
    [
      'features that are text',
      { models: [{ name: 'qwen3', contextLength: 1, slots: 1, features: 'n' }] },
      '"features"',
    ],
  ])('a hello with %s is rejected', (_what, change, named) => {
    const hello = { type: 'hello', protocols: [1], app: '1', boot: 'b', engine: 'e', models: [], ...change }
    expect(rejection(parseDeviceFrames, JSON.stringify(hello))?.message).toContain(named)
  })

  it('a number too large to hold is rejected', () => {
    const token = '{"token":"a","logprob":-1e999,"bytes":[],"top":[]}'
    const message = `{"type":"job-delta","job":"j","attempt":1,"sequence":0,"choice":0,"text":"a","logprobs":[${token}]}`
    expect(rejection(parseDeviceFrames, message)?.message).toContain('"logprob"')
  })

  it.each<[string, object, string]>([
    ['an empty request', sealed({}, {}), '"header"'],
    ['too many keys', sealed({ keys: list(65, wrapped) }), '"keys" must have at most 64 items'],
    [
      'a key of another size',
      sealed({ keys: [{ ...wrapped, key: wrapped.enc }] }),
      '"key" must be 48 bytes in base64url',
    ],
    ['a key that is not base64url', sealed({ keys: [{ ...wrapped, enc: '+'.repeat(43) }] }), '"enc" must be 32 bytes'],
    ['a long header', sealed({ header: 'h'.repeat(16_385) }), '"header" must have at most 16384 characters'],
    ['too many attempts', continued(list(65, { attempt: 1, boxes: [] })), 'must have at most'],
    ['too many boxes', continued([{ attempt: 1, boxes: list(131_073, '') }]), 'must have at most'],
    ['too many bytes', continued(list(2, { attempt: 1, boxes: ['b'.repeat(2_097_152)] })), 'must have at most'],
    ['neither a request nor parts', {}, ''],
    ['both a request and parts', { request: { model: 'm', messages: [] }, parts: 1 }, ''],
    ['no part at all', { parts: 0 }, ''],
    ['too many parts', { parts: MAX_JOB_PARTS + 1 }, ''],
  ])('a job-start with %s is rejected', (_what, change, named) => {
    expect(rejection(parseGatewayFrames, JSON.stringify({ ...START, ...change }))?.message).toContain(named)
  })

  it('deep nesting is skipped or rejected', () => {
    const deep = `${'['.repeat(400_000)}${']'.repeat(400_000)}`
    expect(rejection(parseDeviceFrames, deep)).toBeInstanceOf(ProtocolError)
    expect(parseAll(parseDeviceFrames, `{"type":"pong","future":${deep}}`)).toEqual([{ type: 'pong' }])
  })
})

describe('words that the reader does not know', () => {
  it.each([
    ['job-refuse', { reason: 'on-fire' }, { reason: 'busy' }],
    ['job-progress', { phase: 'dreaming' }, { phase: 'queued' }],
    ['job-end', { sequence: 0, finishes: ['content_filter', 'length'] }, { sequence: 0, finishes: ['stop', 'length'] }],
    [
      'job-error',
      { code: 'odd', message: '', retryable: true, crashed: false },
      { code: 'failed', message: '', retryable: true, crashed: false },
    ],
  ])('in a %s are read as the most general known one', (type, sent, read) => {
    const attempt = { type, job: 'j', attempt: 1 }
    const frames = parseAll(parseDeviceFrames, JSON.stringify({ ...attempt, ...sent }))
    expect(frames).toStrictEqual([{ ...attempt, ...read }])
  })

  it('cancel as if the client had left', () => {
    const message = '{"type":"job-cancel","job":"j","attempt":1,"reason":"tea-time"}'
    expect(parseAll(parseGatewayFrames, message)).toMatchObject([{ reason: 'client-gone' }])
  })

  it('leave out unknown features', () => {
    const model = { name: 'm', contextLength: 1, slots: 1, features: ['telepathy', 'tools', 7] }
    const frames = parseAll(parseDeviceFrames, JSON.stringify({ type: 'models', models: [model] }))
    expect(frames).toStrictEqual([{ type: 'models', models: [{ ...model, features: ['tools'] }] }])
  })
})

describe('requests in parts', () => {
  it('read the same as a request sent whole', () => {
    for (const job of REQUESTS) expect(parseJobRequest(JSON.stringify(job))).toStrictEqual(job)
  })

  it('start with the same frame as a request sent whole', () => {
    for (const job of REQUESTS) {
      const whole = encodeJobStart(START, { request: JSON.stringify(job) })
      expect(parseAll(parseGatewayFrames, whole)).toStrictEqual([{ ...START, request: job }])
    }
    expect(parseAll(parseGatewayFrames, encodeJobStart(START, { parts: 3 }))).toStrictEqual([{ ...START, parts: 3 }])
  })

  it('ask for recovery as text, sealed too', () => {
    const sealed = { header: '{}', box: 'AAAA', keys: [] }
    const text = JSON.stringify({ sealed, model: 'm' })
    expect(parseJobRequest(addBegun(text, undefined))).toStrictEqual({ sealed, model: 'm', recovery: {} })
    const begun = [{ attempt: 1, boxes: ['AAAA', 'BBBB'] }]
    expect(parseJobRequest(addBegun(text, begun))).toStrictEqual({ sealed, model: 'm', recovery: { begun } })
  })

  it('are read or rejected, whatever the text', () => {
    fc.assert(
      fc.property(fc.oneof(fc.string(), fc.json()), (text) => {
        try {
          parseJobRequest(text)
        } catch (error) {
          expect(error).toBeInstanceOf(ProtocolError)
        }
      }),
    )
  })
})

// JSON schemas and biases have keys that the request makes up: nothing in them is unknown.
const OPEN = new Set(['schema', 'parameters', 'logitBias'])

function withFutureFields(value: unknown, future: unknown): unknown {
  if (Array.isArray(value)) return value.map((item) => withFutureFields(item, future))
  if (typeof value !== 'object' || value === null) return value
  const fields = Object.entries(value).map(([name, inner]) => [
    name,
    OPEN.has(name) ? inner : withFutureFields(inner, future),
  ])
  return { ...Object.fromEntries(fields), future, constructor: future }
}
