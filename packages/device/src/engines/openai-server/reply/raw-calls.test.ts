import type { JobTool } from '@hearth/protocol'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { RawCalls } from './raw-calls.ts'

const SEND: JobTool = {
  name: 'send',
  parameters: { type: 'object', properties: { to: { type: 'string' }, count: { type: 'integer' } } },
}

function read(text: string, cuts: readonly number[] = [], tools: readonly JobTool[] = [SEND], isCut = false) {
  const raw = new RawCalls(tools)
  const bytes = Buffer.from(text)
  const at = [0, ...cuts.map((cut) => cut % (bytes.length + 1)).toSorted((a, b) => a - b), bytes.length]
  const passed = at.slice(1).map((end, index) => raw.push(bytes.subarray(at[index], end)))
  const left = raw.end(isCut)
  const shown = Buffer.concat([...passed, ...('rest' in left ? [left.rest] : [])]).toString()
  return { shown, calls: 'calls' in left ? left.calls.map((call) => JSON.parse(call.arguments) as unknown) : [] }
}

const REPLIES = [
  '<tool_call>\n{"name": "send", "arguments": {"to": " Ada", "count": 2}}\n</tool_call>',
  '<tool_call>\n<function=send>\n<parameter=to>\n Ada\n</parameter>\n<parameter=count>\n2\n</parameter>\n</function>\n</tool_call>',
  '<tool_call>send\n<arg_key>to</arg_key>\n<arg_value> Ada</arg_value>\n<arg_key>count</arg_key>\n<arg_value>2</arg_value>\n</tool_call>',
  '[TOOL_CALLS][{"name": "send", "arguments": {"to": " Ada", "count": 2}}]',
  '[TOOL_CALLS]send[ARGS]{"to": " Ada", "count": 2}',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.send:0<|tool_call_argument_begin|>{"to": " Ada", "count": 2}<|tool_call_end|><|tool_calls_section_end|>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>send<｜tool▁sep｜>{"to": " Ada", "count": 2}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<|tool_call_start|>[send(to=" Ada", count=2)]<|tool_call_end|>',
  '<|tool_call|>[{"name": "send", "arguments": {"to": " Ada", "count": 2}}]',
  '<minimax:tool_call>\n<invoke name="send">\n<parameter name="to"> Ada</parameter>\n<parameter name="count">2</parameter>\n</invoke>\n</minimax:tool_call>',
]

describe('calls that a server left in the text', () => {
  it.each(REPLIES)('are read from %j, split anywhere', (reply) => {
    fc.assert(
      fc.property(fc.array(fc.nat(), { maxLength: 6 }), (cuts) => {
        expect(read(`Sure – ${reply}`, cuts)).toEqual({ shown: 'Sure – ', calls: [{ to: ' Ada', count: 2 }] })
      }),
      { numRuns: 20 },
    )
  })

  it.each<[string, JobTool[], boolean]>([
    ['Write <tool_call> before a call.', [SEND], false],
    ['<tool_call>{"name": "steal", "arguments": {}}</tool_call>', [SEND], false],
    ['<tool_call>{"name": "send", "arguments": {"to": "A', [SEND], false],
    ['a <tool_c', [SEND], false],
    [REPLIES[0]!, [], false],
    ['Write <tool_call> before a call.', [SEND], true],
    ['if a <', [SEND], true],
  ])('stay text if they aren’t calls of the request’s tools: %j, with %j, cut: %s', (text, tools, isCut) => {
    expect(read(text, [], tools, isCut)).toEqual({ shown: text, calls: [] })
  })

  it.each(REPLIES)('are complete or not there if the answer %j is cut anywhere', (reply) => {
    for (let length = 3; length < reply.length; length++) {
      const { shown, calls } = read(`Sure. ${reply.slice(0, length)}`, [], [SEND], true)
      expect(shown).toBe('Sure. ')
      expect([[], [{ to: ' Ada', count: 2 }]]).toContainEqual(calls)
    }
  })
})
