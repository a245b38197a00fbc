import { GrammarRules, literal } from '@hearth/json-schema-grammar'
import type { ChatJob, JobTool } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { createReader, readCallsOf, readCutCallsOf } from '../run/create-reader.ts'
import { studyHere } from '../testing/study-here.ts'
import { buildPrompt } from '../run/prompt.ts'
import { toPieces } from '../testing/reply-pieces.ts'
import { addCalls } from '../tools/tool-grammar.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 512 })

/** A template that lists tools, calls and results as JSON, and holds what makes it one of a family's. */
function templateWith(...marks: string[]): string {
  return `{# ${marks.join(' ')} #}{%- for t in tools or [] -%}{{- t | tojson -}}{%- endfor -%}
{%- for m in messages -%}{{- '<|im_start|>' + m.role + '\\n' + m.content + '<|im_end|>\\n' -}}{%- endfor -%}
{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`
}

/** The same, with a call written the way a model of the family would. */
function templateOf(call: string, begin = '', end = ''): string {
  return templateWith('').replace(
    'm.content +',
    "m.content -}}{%- if m.tool_calls -%}{{- '" +
      begin +
      "' -}}{%- for c in m.tool_calls -%}" +
      call +
      "{%- endfor -%}{{- '" +
      end +
      "' -}}{%- endif -%}{{-",
  )
}

const LFM2 = templateWith('List of tools: ')
const GRANITE = templateWith('<|tool_call|>', '<|start_of_role|>', '</think>')
const GIGACHAT = templateWith('<|message_sep|>', '<|role_sep|>')
const FUNCTIONARY = templateWith('>>>${recipient}', '>>>all')
const KIMI_K3 = templateWith('<|open|>', '<|sep|>', '<|close|>')
const GPT_OSS = templateWith('<|channel|>', '<|message|>')
const GLIMMER = templateWith('<atem:', '<|message|>', '<|eom|>')
const COMMAND = templateWith('directly-answer', 'json-formatted list of actions')
const LLAMA = templateOf(
  `{{- '{"name": "' + c.function.name + '", "parameters": ' + (c.function.arguments | tojson) + '}' -}}`,
).replace('{#', '{# Environment: ipython "parameters": ')
const QWEN_CODER = templateOf(
  `{{- '<tool_call>\\n<function=' + c.function.name + '>\\n' -}}{%- for k, v in c.function.arguments | items -%}{{- '<parameter=' + k + '>\\n' + (v if v is string else v | tojson) + '\\n</parameter>\\n' -}}{%- endfor -%}{{- '</function>\\n</tool_call>' -}}`,
)
const DSML = templateOf(
  `{{- '<dsml:invoke name="' + c.function.name + '">\\n' -}}{%- for k, v in c.function.arguments | items -%}{{- '<dsml:parameter name="' + k + '" string="' + ('true' if v is string else 'false') + '">' + (v if v is string else v | tojson) + '</dsml:parameter>\\n' -}}{%- endfor -%}{{- '</dsml:invoke>\\n' -}}`,
  '<dsml:calls>\\n',
  '</dsml:calls>',
)
const MINIMAX = `{%- macro xml(v) -%}{%- if v is mapping -%}{%- for k, w in v | items -%}{{- '~<' + k + '>' + xml(w) + '~</' + k + '>' -}}{%- endfor -%}{%- elif v is string -%}{{- v -}}{%- else -%}{{- v | tojson -}}{%- endif -%}{%- endmacro -%}${templateOf(
  `{{- '~<invoke name="' + c.function.name + '">' -}}{{- xml(c.function.arguments) -}}{{- '~</invoke>\\n' -}}`,
  '~<tool_call>\\n',
  '~</tool_call>',
)}`
const COHERE = templateOf(
  `{{- '{"tool_name": "' + c.function.name + '", "parameters": ' + (c.function.arguments | tojson) + '}' -}}`,
  '<|START_THINKING|>plan<|END_THINKING|><|START_ACTION|>[',
  ']<|END_ACTION|>',
)

const SEND: JobTool = {
  name: 'send',
  parameters: {
    type: 'object',
    properties: {
      to: { type: 'string' },
      count: { type: 'integer', minimum: 1, maximum: 3 },
      now: { type: 'boolean' },
    },
    required: ['to', 'count'],
  },
}

const JOB: ChatJob = { model: 'm', messages: [{ role: 'user', content: 'Hi' }], tools: [SEND] }

async function read(template: string, texts: readonly string[], rest: Partial<ChatJob> = {}) {
  const profile = studyHere({ ...native, templates: { chat: template, tools: undefined } })
  const job = { ...JOB, ...rest }
  const prompt = await buildPrompt(job, profile)
  const reader = createReader(profile, job, prompt)
  const parts = toPieces(texts).flatMap((piece) => reader.push(piece))
  const pieces = [...parts.flatMap((part) => (part.type === 'content' ? [part.piece] : [])), ...reader.end()]
  const calls = readCallsOf(reader, prompt)
  const content = Buffer.concat(pieces.map(({ visible }) => visible)).toString()
  return { content, calls: calls?.map(({ arguments: args }) => JSON.parse(args) as unknown), syntax: prompt.syntax }
}

const SENT = { to: "it's", count: 2 }

const CALLS: [name: string, template: string, reply: string][] = [
  ['LFM2', LFM2, `<|tool_call_start|>[send(to="it's", count=2)]<|tool_call_end|>`],
  ['Granite 3', GRANITE, `<|tool_call|>[{"name": "send", "arguments": {"to": "it's", "count": 2}}]`],
  [
    'GigaChat 3',
    GIGACHAT,
    `<|message_sep|>\n\nfunction call<|role_sep|>\n{"name": "send", "arguments": {"to": "it's", "count": 2}}`,
  ],
  ['Functionary 3.2', FUNCTIONARY, `send\n{"to": "it's", "count": 2}`],
  [
    'Kimi K3',
    KIMI_K3,
    `<|open|>tools<|sep|><|open|>call tool="send" index="1"<|sep|><|open|>argument key="to" type="string"<|sep|>it's<|close|>argument<|sep|><|open|>argument key="count" type="number"<|sep|>2<|close|>argument<|sep|><|close|>call<|sep|><|close|>tools<|sep|><|close|>message<|sep|>`,
  ],
  [
    'Command R+',
    COMMAND,
    'Action:\n```json\n[\n    {\n        "tool_name": "send",\n        "parameters": {"to": "it\'s", "count": 2}\n    }\n]```',
  ],
  ['Cohere', COHERE, `<|START_ACTION|>[{"tool_name": "send", "parameters": {"to": "it's", "count": 2}}]<|END_ACTION|>`],
  ['Llama 3', LLAMA, `<|python_tag|>{"name": "send", "parameters": {"to": "it's", "count": 2}}`],
  [
    'Llama 3, like the tool list',
    LLAMA,
    `{"type": "function", "name": "send", "parameters": {"to": "it's", "count": 2}}`,
  ],
  [
    'Qwen3-Coder without its first tag',
    QWEN_CODER,
    "<function=send>\n<parameter=to>\nit's\n</parameter>\n<parameter=count>\n2\n</parameter>\n</function>\n</tool_call>",
  ],
  [
    'DeepSeek V3.2, which says what is text',
    DSML,
    `<dsml:calls>\n<dsml:invoke name="send">\n<dsml:parameter name="to" string="true">it's</dsml:parameter>\n<dsml:parameter name="count" string="false">2</dsml:parameter>\n</dsml:invoke>\n</dsml:calls>`,
  ],
  [
    'MiniMax M3, which names tags after arguments',
    MINIMAX,
    `~<tool_call>\n~<invoke name="send">~<to>it's~</to>~<count>2~</count>~</invoke>\n~</tool_call>`,
  ],
]

describe('families', () => {
  it.each(CALLS)('call as %s does', async (_name, template, reply) => {
    const { calls, content, syntax } = await read(template, [reply])
    expect({ calls, content }).toEqual({ calls: [SENT], content: '' })
    const rules = new GrammarRules()
    const grammar = await native.compileGrammar(rules.write(addCalls(syntax, [SEND], rules)).text)
    expect(grammar.matches(reply)).toBe(true)
    expect(grammar.matches(reply.replace('2', '9'))).toBe(false)
  })

  it.each(CALLS)('call completely or not at all if the reply is cut, as %s', async (_name, template, reply) => {
    const profile = studyHere({ ...native, templates: { chat: template, tools: undefined } })
    const prompt = await buildPrompt(JOB, profile)
    for (let length = 3; length < reply.length; length++) {
      const reader = createReader(profile, JOB, prompt)
      const parts = toPieces([reply.slice(0, length)]).flatMap((piece) => reader.push(piece))
      expect([...parts.filter(({ type }) => type === 'content'), ...reader.end(true)]).toEqual([])
      const cut = readCutCallsOf(reader, prompt)
      expect([[], [SENT]]).toContainEqual(cut?.calls.map((call) => JSON.parse(call.arguments) as unknown) ?? [])
      if (reader.calls.length > 0) expect(cut).toBeDefined()
    }
  })

  it('take Python’s constants and quotes for LFM2', async () => {
    const { calls } = await read(LFM2, [`<|tool_call_start|>[send(to='it's', count=2, now=True)]<|tool_call_end|>`])
    expect(calls).toEqual([{ ...SENT, now: true }])
  })

  it('show earlier calls even if the template leaves them out', async () => {
    const profile = studyHere({ ...native, templates: { chat: LFM2, tools: undefined } })
    const call = { id: 'a', name: 'send', arguments: '{"to":"Ada","count":2}' }
    const messages: ChatJob['messages'] = [
      { role: 'user', content: 'Hi' },
      { role: 'assistant', content: '', toolCalls: [call] },
      { role: 'tool', content: 'done', toolCallId: 'a' },
    ]
    const { tokens } = await buildPrompt({ ...JOB, messages }, profile)
    const text = Buffer.concat(tokens.map((token) => profile.bytes.raw(token))).toString()
    expect(text).toContain('<|tool_call_start|>[send(to="Ada", count=2)]<|tool_call_end|>')
  })

  it('read lists and objects that MiniMax M3 writes as tags', async () => {
    const parameters = {
      type: 'object',
      properties: {
        tags: { type: 'array', items: { type: 'string' } },
        at: { type: 'object', properties: { x: { type: 'number' } }, required: ['x'] },
      },
    }
    const reply =
      '~<tool_call>\n~<invoke name="mark">~<tags>~<item>a~</item>~<item>b~</item>~</tags>~<at>~<x>1.50~</x>~</at>~</invoke>\n~</tool_call>'
    const { calls } = await read(MINIMAX, [reply], { tools: [{ name: 'mark', parameters }] })
    expect(calls).toEqual([{ tags: ['a', 'b'], at: { x: 1.5 } }])
  })

  it.each([
    ['the whitespace of tagged text, byte for byte', 'string', '\n    return 1\n\n'],
    ['text that contains its own closing tag', 'string', 'a\n</parameter>\nb'],
    ['null for a parameter that may be text or null', ['string', 'null'], 'null', null],
    ['words for such a parameter', ['string', 'null'], 'hello world'],
    ['words that begin like a number', ['string', 'null'], '123 Main St'],
  ])('read %s', async (_, type, written, value: string | null = written) => {
    const tools = [{ name: 'set', parameters: { type: 'object', properties: { name: { type } } } }]
    const reply = `<tool_call>\n<function=set>\n<parameter=name>\n${written}\n</parameter>\n</function>\n</tool_call>`
    expect((await read(QWEN_CODER, [reply], { tools })).calls).toEqual([{ name: value }])
  })

  it('don’t show the plan of Cohere’s models, nor the tags around their answer', async () => {
    const texts = [
      '{<|START_THINKING|>}',
      'plan',
      '{<|END_THINKING|>}',
      '{<|START_RESPONSE|>}',
      'Hello',
      '{<|END_RESPONSE|>}',
    ]
    expect(await read(COHERE, texts)).toMatchObject({ content: 'Hello', calls: undefined })
  })

  it.each([
    ['Granite 3', GRANITE, ['<think>hm</think><response>Hello</response>']],
    ['Functionary 3.2', FUNCTIONARY, ['all\nHello']],
    [
      'Kimi K3',
      KIMI_K3,
      ['<|open|>think<|sep|>hm<|close|>think<|sep|><|open|>response<|sep|>Hello<|close|>response<|sep|>'],
    ],
    [
      'Muse Glimmer',
      GLIMMER,
      [' to=self', '{<|message|>}', 'hm', '{<|eom|>}', '{<|start|>}', 'assistant to=user', '{<|message|>}', 'Hello'],
    ],
    [
      'gpt-oss with a built-in tool',
      GPT_OSS,
      [
        '{<|channel|>}',
        'analysis to=python',
        '{<|message|>}',
        'print(1)',
        '{<|end|>}',
        '{<|start|>}',
        'assistant',
        '{<|channel|>}',
        'final',
        '{<|message|>}',
        'Hello',
      ],
    ],
    [
      'Apriel 1.6',
      templateWith('[BEGIN FINAL RESPONSE] Here are my reasoning steps:'),
      ['Here are my reasoning steps: hm [BEGIN FINAL RESPONSE]\nHello\n[END FINAL RESPONSE]'],
    ],
    ['MiniMax M3', templateWith('<mm:think>', '</mm:think>'), ['<mm:think>hm</mm:think>Hello']],
    ['Apertus', templateWith('<|inner_prefix|>', '<|inner_suffix|>'), ['<|inner_prefix|>hm<|inner_suffix|>Hello']],
    [
      'Solar Open',
      templateWith('<|think|>', '<|tool_call:begin|>'),
      ['{<|think|>}', 'hm', '{<|end|>}', '{<|begin|>}', 'assistant', '{<|content|>}', 'Hello'],
    ],
  ])('separate the thinking of %s from its answer', async (_name, template, texts) => {
    expect((await read(template, texts)).content.trim()).toBe('Hello')
  })

  it('let gpt-oss call a tool or answer with JSON if there is a response format', async () => {
    const { dialect } = studyHere({ ...native, templates: { chat: GPT_OSS, tools: undefined } })
    const rules = new GrammarRules()
    const grammar = await native.compileGrammar(rules.write(dialect!.answer(literal('7'), [SEND], rules)).text)
    expect(grammar.matches('<|channel|>final<|message|>7')).toBe(true)
    const call = '<|channel|>commentary to=functions.send <|constrain|>json<|message|>{"to": "Ada", "count": 2}'
    expect(grammar.matches(call)).toBe(true)
    expect(grammar.matches(call.replace('2', '9'))).toBe(false)
  })

  it('read a call of Muse Glimmer', async () => {
    const body =
      '<atem:function_calls>\n<atem:invoke name="send">\n<atem:parameter name="to">it\'s</atem:parameter>\n<atem:parameter name="count">2</atem:parameter>\n</atem:invoke>\n</atem:function_calls>'
    expect((await read(GLIMMER, [' to=send', '{<|message|>}', body])).calls).toEqual([SENT])
    expect(await read(GLIMMER, [' to=user', '{<|message|>}', body])).toMatchObject({ content: body, calls: undefined })
  })
})
