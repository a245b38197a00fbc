import { GrammarRules } from '@hearth/json-schema-grammar'
import type { JobTool } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { templateHere } from '../testing/study-here.ts'
import { probeToolSyntax } from './probe-tool-syntax.ts'
import { probeTraits } from '../template/template-traits.ts'
import { readCalls, readCutCalls } from '../../formats/tool-calls.ts'
import { addCalls } from './tool-grammar.ts'
import { GENERAL_SYNTAX, type ToolSyntax } from '../../formats/tool-syntax.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 256 })

/** A template like those of a model family: `call` writes one call, `around` all of them. */
function template(call: string, before = '', after = '', join = ''): string {
  return `{%- for m in messages -%}
{{- '<|im_start|>' + m.role + '\\n' -}}{%- if m.content -%}{{- m.content -}}{%- endif -%}
{%- if m.tool_calls -%}{{- ${before || "''"} -}}{%- for c in m.tool_calls -%}${call}{%- if not loop.last -%}{{- ${join || "''"} -}}{%- endif -%}{%- endfor -%}{{- ${after || "''"} -}}{%- endif -%}
{{- '<|im_end|>\\n' -}}{%- endfor -%}
{%- for t in tools or [] -%}{{- t | tojson -}}{%- endfor -%}{%- if add_generation_prompt -%}{{- '<|im_start|>assistant\\n' -}}{%- endif -%}`
}

const NAME = 'c.function.name'
const ARGS = 'c.function.arguments | tojson'
const TAGGED = `{{- '<tool_call>\\n<function=' + ${NAME} + '>\\n' -}}{%- for k in c.function.arguments -%}{{- '<parameter=' + k + '>\\n' + (c.function.arguments[k] | string) + '\\n</parameter>\\n' -}}{%- endfor -%}{{- '</function>\\n</tool_call>' -}}`

const FAMILIES: [name: string, template: string, reply: string][] = [
  [
    'tags around JSON',
    template(
      `{{- '<tool_call>\\n{"name": "' + ${NAME} + '", "arguments": ' + (${ARGS}) + '}\\n</tool_call>' -}}`,
      '',
      '',
      "'\\n'",
    ),
    '<tool_call>\n{"name": "send", "arguments": {"to": "Ada", "count": 2}}\n</tool_call>\n<tool_call>\n{"name": "send", "arguments":{"to":"Bob","count":1}}\n</tool_call>',
  ],
  [
    'bare JSON',
    template(
      `{{- '{"name": "' + ${NAME} + '", "parameters": ' + (${ARGS}) + '}' -}}{%- if not loop.first -%}{{- raise_exception('one call only') -}}{%- endif -%}`,
    ),
    '{"name": "send", "parameters": {"to": "Ada", "count": 2}}',
  ],
  [
    'a list with ids',
    template(
      `{{- '{"name": "' + ${NAME} + '", "arguments": ' + (${ARGS}) + ', "id": "' + c.id + '"}' -}}`,
      "'[CALLS]['",
      "']'",
      "', '",
    ),
    '[CALLS][{"name": "send", "arguments": {"to": "Ada", "count": 2}, "id": "abcdefghi"}, {"name": "send", "arguments": {"to": "Bob", "count": 1}, "id": "123456789"}]',
  ],
  [
    'a running number',
    template(
      `{{- '<|call|>functions.' + ${NAME} + ':' + (loop.index0 | string) + '<|args|>' + (${ARGS}) + '<|done|>' -}}`,
      "'<|calls|>'",
      "'<|end-calls|>'",
    ),
    '<|calls|><|call|>functions.send:0<|args|>{"to": "Ada", "count": 2}<|done|><|call|>functions.send:1<|args|>{"to": "Bob", "count": 1}<|done|><|end-calls|>',
  ],
  [
    'tagged arguments',
    template(TAGGED, '', '', "'\\n'"),
    '<tool_call>\n<function=send>\n<parameter=to>\nAda <b>\n</parameter>\n<parameter=count>\n2\n</parameter>\n</function>\n</tool_call>\n<tool_call>\n<function=send>\n<parameter=to>\nBob\n</parameter>\n<parameter=count>\n1\n</parameter>\n</function>\n</tool_call>',
  ],
  [
    'arguments as in a program',
    template(
      `{{- ${NAME} + '(' -}}{%- for k in c.function.arguments -%}{{- k + '=' -}}{%- if c.function.arguments[k] is string -%}{{- "'" + c.function.arguments[k] + "'" -}}{%- else -%}{{- c.function.arguments[k] | tojson -}}{%- endif -%}{%- if not loop.last -%}{{- ', ' -}}{%- endif -%}{%- endfor -%}{{- ')' -}}`,
      "'<|calls|>['",
      "']<|end-calls|>'",
      "', '",
    ),
    "<|calls|>[send(to='Ada', count=2), send(to='Bob', count=1)]<|end-calls|>",
  ],
]

const SEND: JobTool = {
  name: 'send',
  parameters: {
    type: 'object',
    properties: { to: { type: 'string' }, count: { type: 'integer', minimum: 1, maximum: 3 } },
    required: ['to', 'count'],
  },
}

function probe(source: string): ToolSyntax | undefined {
  const chat = templateHere(native, source)
  return probeToolSyntax({
    template: chat,
    traits: probeTraits(chat),
    endTexts: ['<|im_end|>'],
    specialTexts: ['<tool_call>', '<|calls|>'],
  })
}

async function grammarOf(syntax: ToolSyntax, tools: readonly JobTool[]) {
  const rules = new GrammarRules()
  return native.compileGrammar(rules.write(addCalls(syntax, tools, rules)).text)
}

describe('tool syntax', () => {
  it.each(FAMILIES)('is learned from a template with %s', async (_name, source, reply) => {
    const syntax = probe(source)!
    expect(syntax).toBeDefined()
    expect(syntax.triggers.some(({ text }) => reply.startsWith(text))).toBe(true)
    const grammar = await grammarOf(syntax, [SEND])
    expect(grammar.matches(reply)).toBe(true)
    expect(grammar.matches(reply.replace('2', '9'))).toBe(false)
    expect(grammar.matches(reply.replaceAll('send', 'steal'))).toBe(false)
    const calls = readCalls(reply, syntax, [SEND])
    const args = calls?.map((call) => JSON.parse(call.arguments) as unknown)
    expect(args?.[0]).toMatchObject({ count: 2 })
    expect(args?.slice(1)).toEqual(reply.includes('Bob') ? [{ to: 'Bob', count: 1 }] : [])
  })

  it.each(FAMILIES)('leaves only complete calls of a reply with %s that is cut anywhere', (_name, source, reply) => {
    const syntax = probe(source)!
    const whole = readCalls(reply, syntax, [SEND])!
    const counts = Array.from({ length: reply.length }, (_, length) => {
      const cut = readCutCalls(reply.slice(0, length), syntax, [SEND])
      expect(cut?.calls).toEqual(whole.slice(0, cut?.calls.length))
      if (cut?.isCut === false) expect(cut.calls.length).toBeGreaterThan(0)
      return cut?.calls.length ?? -1
    })
    // More text never leaves fewer calls.
    expect(counts).toEqual(counts.toSorted((a, b) => a - b))
    expect(counts.at(-1)).toBe(whole.length)
  })

  it('is the general one for a template that shows no calls', () => {
    expect(probe('{% for m in messages %}{{ m.role + m.content }}{% endfor %}')).toBeUndefined()
    const reply = '<tool_call>\n{"name": "send", "arguments": {"to": "Ada", "count": 1}}\n</tool_call>'
    expect(readCalls(reply, GENERAL_SYNTAX, [SEND])).toHaveLength(1)
  })

  it('leaves out optional arguments, tagged or not', async () => {
    const tool = {
      name: 'send',
      parameters: { type: 'object', properties: { to: { type: 'string' }, at: { enum: ['now', 'later'] } } },
    }
    const tagged = probe(FAMILIES[4]![1])!
    const grammar = await grammarOf(tagged, [tool])
    const reply = '<tool_call>\n<function=send>\n<parameter=at>\nnow\n</parameter>\n</function>\n</tool_call>'
    expect(grammar.matches(reply)).toBe(true)
    expect(grammar.matches(reply.replace('now', 'never'))).toBe(false)
    expect(readCalls(reply, tagged, [tool])).toEqual([{ name: 'send', arguments: '{"at":"now"}' }])
    expect(readCalls('<tool_call>\n<function=send>\n</function>\n</tool_call>', tagged, [tool])).toEqual([
      { name: 'send', arguments: '{}' },
    ])
  })

  it.each([
    ['cut short', '<tool_call>\n{"name": "send", "arguments": {"to": "A'],
    ['an unknown tool', '<tool_call>\n{"name": "steal", "arguments": {}}\n</tool_call>'],
    ['broken JSON', '<tool_call>\n{"name": "send", "arguments": {to: 1}}\n</tool_call>'],
    ['no object', '<tool_call>\n{"name": "send", "arguments": [1]}\n</tool_call>'],
    ['followed by words', '<tool_call>\n{"name": "send", "arguments": {}}\n</tool_call> and so on'],
  ])('reads no call from text that is %s', (_name, text) => {
    expect(readCalls(text, GENERAL_SYNTAX, [SEND])).toBeUndefined()
  })

  it('reads arguments that look like the wording around them', () => {
    const tricky = JSON.stringify({ to: '"}\n</tool_call>\n<tool_call>', count: 1 })
    const reply = `<tool_call>\n{"name": "send", "arguments": ${tricky}}\n</tool_call>`
    expect(readCalls(reply, GENERAL_SYNTAX, [SEND])).toEqual([{ name: 'send', arguments: tricky }])
  })
})
