import { describe, expect, it } from 'vitest'
import { parseGatewayFrames } from '../frames/codec.ts'
import { ProtocolError } from '../read-fields.ts'
import { readClientIds, traceOf } from './client-ids.ts'

const TRACE = '4bf92f3577b34da6a3ce929d0e0e4736'
const PARENT = '00f067aa0ba902b7'

describe('what a client calls its request', () => {
  it.each(['a', '0f8fad5b-d9cb-469f-a165-70867728950e', 'req_7f', 'order-17/a:3', 'Zm9v+a/b=', 'x'.repeat(128)])(
    '[A15a] is taken as it is: %s',
    (id) => {
      expect(readClientIds(id, undefined)).toEqual({ requestId: id })
    },
  )

  it.each(['', ' a', 'a b', 'a\nb', '=cmd()', '-1', '_a', 'a"b', 'a,b', 'ä', '\u202Ea', 'x'.repeat(129)])(
    '[A15a] counts as not sent if it is %j',
    (id) => {
      expect(readClientIds(id, undefined)).toBeUndefined()
    },
  )

  it.each([
    [`00-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01`],
    [`cc-${TRACE}-${PARENT}-01`, `00-${TRACE}-${PARENT}-01`],
    [`cc-${TRACE}-${PARENT}-00-what-comes-later`, `00-${TRACE}-${PARENT}-00`],
  ])('[A15a] has the trace of %s', (header, traceparent) => {
    expect(readClientIds(undefined, header)).toEqual({ traceparent })
    expect(traceOf({ traceparent })).toBe(TRACE)
  })

  it.each([
    `00-${'0'.repeat(32)}-${PARENT}-01`,
    `00-${TRACE}-${'0'.repeat(16)}-01`,
    `00-${TRACE.toUpperCase()}-${PARENT}-01`,
    `00-${TRACE}-${PARENT}-01-more`,
    `ff-${TRACE}-${PARENT}-01`,
    `cc-${TRACE}-${PARENT}-01.more`,
    `00-${TRACE}-${PARENT}`,
    TRACE,
  ])('[A15a] has no trace if the header is %s', (header) => {
    expect(readClientIds('a', header)).toEqual({ requestId: 'a' })
  })

  it.each([{ requestId: 'a b' }, { requestId: 'x'.repeat(129) }, { traceparent: TRACE }, { requestId: 7 }, 'a', []])(
    'is not believed to be clean when a gateway sends %j',
    (client) => {
      const frame = { type: 'job-start', job: 'j', attempt: 0, organization: 'o', parts: 1, client }
      expect(() => parseGatewayFrames(JSON.stringify(frame), () => {})).toThrow(ProtocolError)
    },
  )
})
