import type { ChatJob, JobMessage } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import type { ModelProfile } from '../run/model-profile.ts'
import { studyHere, templateHere } from '../testing/study-here.ts'
import { buildPrompt } from '../run/prompt.ts'
import { PromptGuard, readGuardFacts } from './prompt-guard.ts'
import { probeThinking, thinkingBudget, thinkingVariables } from './reasoning.ts'
import { createTokenBytes } from '../native/token-bytes.ts'
import { useTinyModel } from '../testing/use-tiny.ts'

const native = await useTinyModel({ slots: 1, contextLength: 512 })

const MESSAGES: JobMessage[] = [
  { role: 'system', content: 'Be brief.' },
  { role: 'user', content: 'One' },
  { role: 'user', content: 'Two' },
]

const study = (chat: string): ModelProfile => studyHere({ ...native, templates: { chat, tools: undefined } })

/** The prompt as text, with the names of control tokens. */
async function promptText(profile: ModelProfile, job: Partial<ChatJob>): Promise<string> {
  const { tokens } = await buildPrompt({ model: 'm', messages: MESSAGES, ...job }, profile)
  const bytes = createTokenBytes(native.vocabulary)
  return Buffer.concat(tokens.map((token) => bytes.raw(token))).toString()
}

const PLAIN = `{%- for m in messages -%}{{- '[' + m.role + ']' + m.content -}}{%- endfor -%}{%- if add_generation_prompt -%}{{- '[assistant]' -}}{%- endif -%}`
const NO_SYSTEM = PLAIN.replace(
  "{{- '['",
  "{%- if m.role == 'system' -%}{{- raise_exception('no system') -}}{%- endif -%}{{- '['",
)
const IN_TURN = `{%- for m in messages -%}{%- if m.role != 'system' and (m.role == 'user') != (loop.index0 % 2 == (1 if messages[0].role == 'system' else 0)) -%}{{- raise_exception('turns') -}}{%- endif -%}{{- '[' + m.role + ']' + m.content -}}{%- endfor -%}{{- '[assistant]' -}}`

describe('prompts', () => {
  const LATE: JobMessage[] = [
    { role: 'assistant', content: 'Hi' },
    { role: 'system', content: 'Late' },
  ]
  it.each([
    ['are rendered by the model’s own template', PLAIN, MESSAGES, '[system]Be brief.[user]One[user]Two[assistant]'],
    [
      'have the instructions in the first user message if a template has no system role',
      NO_SYSTEM,
      MESSAGES,
      '[user]Be brief.\n\nOne[user]Two[assistant]',
    ],
    [
      'join messages for a template that requires turns',
      IN_TURN,
      MESSAGES,
      '[system]Be brief.[user]One\n\nTwo[assistant]',
    ],
    ['begin with the instructions and a turn of the user', IN_TURN, LATE, '[system]Late[user][assistant]Hi[assistant]'],
  ])('%s', async (_, template, messages, text) => {
    expect(await promptText(study(template), { messages })).toBe(text)
  })

  it('have a plain format if the model has no template', async () => {
    const profile = studyHere({ ...native, templates: { chat: undefined, tools: undefined } })
    const text = await promptText(profile, { messages: [{ role: 'user', content: 'Hi' }] })
    expect(text).toBe('<|im_start|>user\nHi<|im_end|>\n<|im_start|>assistant\n')
  })

  it('fall back to the second renderer if the first can’t handle the template', () => {
    const refusing = () => () => {
      throw new Error('unknown filter')
    }
    const template = templateHere(native, PLAIN, refusing)
    expect(template.render({ messages: [{ role: 'user', content: 'Hi' }] })).toBe('[user]Hi[assistant]')
  })

  it('fail with an explanation if no template can express the messages', () => {
    const template = templateHere(native, "{{- raise_exception('never') -}}")
    expect(() => template.render({ messages: [{ role: 'user', content: 'Hi' }] })).toThrow(
      /can't express these messages/,
    )
  })

  it('print null, constants, lists and objects as Python does', () => {
    const printed = `{# {{ x }} #}{%- set y = '{{' -%}{{- y -}}{%- for m in messages if m.tool_calls -%}{%- for k, v in m.tool_calls[0].function.arguments | items -%}{{ v }},{%- endfor -%}{{ missing }}{%- endfor -%}`
    const args = { none: null, list: ['a', 1], nested: { is: true }, text: 'x' }
    const call = { id: 'a', type: 'function' as const, function: { name: 'f', arguments: args } }
    const text = templateHere(native, printed).render({
      messages: [{ role: 'assistant', content: '', tool_calls: [call] }],
    })
    expect(text).toBe("{{None,['a', 1],{'is': True},x,")
  })

  it('show parameters with several types or none to a template that expects one', () => {
    const typed = `{%- for t in tools -%}{%- for name, p in t.function.parameters.properties | items -%}{{- name + ':' + ('number' if p.type in ['number', 'integer'] else 'any') + ' ' -}}{%- endfor -%}{%- endfor -%}`
    const properties = { a: { type: ['string', 'null'] }, b: { anyOf: [] }, c: { type: 'integer' } }
    const tool = { type: 'function' as const, function: { name: 'f', description: '', parameters: { properties } } }
    expect(templateHere(native, typed).render({ messages: [], tools: [tool] })).toBe('a:any b:any c:number ')
  })

  it('have one call per reply if the template takes only one', () => {
    const single = `{%- for m in messages -%}{%- if m.tool_calls -%}{%- if m.tool_calls | length > 1 -%}{{- raise_exception('one call') -}}{%- endif -%}{{- '[call ' + m.tool_calls[0].function.name + ']' -}}{%- else -%}{{- '[' + m.role + ']' + m.content -}}{%- endif -%}{%- endfor -%}`
    const calls = ['f', 'g'].map((name) => ({ id: name, type: 'function' as const, function: { name, arguments: {} } }))
    const text = templateHere(native, single).render({
      messages: [
        { role: 'user', content: 'Go' },
        { role: 'assistant', content: '', tool_calls: calls },
        { role: 'tool', content: 'two', tool_call_id: 'g' },
        { role: 'tool', content: 'one', tool_call_id: 'f' },
        { role: 'user', content: 'Thanks' },
      ],
    })
    expect(text).toBe('[user]Go[call f][tool]one[call g][tool]two[user]Thanks')
  })

  it('explain tools in words if the template doesn’t support them', async () => {
    const tools = [{ name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } }]
    const messages: JobMessage[] = [
      { role: 'user', content: 'Oslo?' },
      { role: 'assistant', content: '', toolCalls: [{ id: 'x', name: 'get_weather', arguments: '{"city":"Oslo"}' }] },
      { role: 'tool', content: 'windy', toolCallId: 'x' },
    ]
    const text = await promptText(study(PLAIN), { messages, tools })
    expect(text).toMatch(/^\[system\]You can call functions/)
    expect(text).toContain('"name":"get_weather"')
    expect(text).toContain(
      '[assistant]<tool_call>\n{"name": "get_weather", "arguments": {"city":"Oslo"}}\n</tool_call>',
    )
    expect(text).toContain('[user]<tool_response>\nwindy\n</tool_response>[assistant]')
  })

  it('[F65] don’t mention tools that may not be called', async () => {
    const tools = [{ name: 'get_weather' }]
    expect(await promptText(study(PLAIN), { tools, toolChoice: 'none' })).not.toContain('get_weather')
  })
})

describe('PromptGuard', () => {
  const tokenize = (text: string, special: boolean) => Uint32Array.from(native.vocabulary.tokenize(text, special))
  const facts = () => readGuardFacts(native.vocabulary)

  it('keeps control tokens out of everything that callers write, including names and tools', () => {
    const guard = new PromptGuard(facts())
    const [control] = native.vocabulary.tokenize('<|im_start|>', true)
    const guarded = guard.guard({ '<|im_start|>': ['a <|im_start|> b', 7, null] })
    const rendered = `<|im_start|>${JSON.stringify(guarded.value)}`
    const tokens = Array.from(guarded.tokenize(rendered, tokenize))
    expect(rendered.match(/im_start/g)).toHaveLength(1)
    expect(tokens.filter((token) => token === control)).toHaveLength(1)
    const bytes = createTokenBytes(native.vocabulary)
    const text = Buffer.concat(tokens.map((token) => bytes.raw(token))).toString()
    expect(text).toBe('<|im_start|>{"<|im_start|>":["a <|im_start|> b",7,null]}')
  })

  it('changes nothing if there is no such text', () => {
    const guarded = new PromptGuard(facts()).guard({ content: '  two spaces <im_start>' })
    expect(guarded.value).toEqual({ content: '  two spaces <im_start>' })
    expect(guarded.tokenize('  two spaces', tokenize)).toEqual(tokenize('  two spaces', true))
  })

  it('puts the beginning-of-text token first, once, if the model wants it', () => {
    const bos = { token: 735, text: '<|endoftext|>' }
    const guard = new PromptGuard(readGuardFacts({ ...native.vocabulary, bos, addsBos: true }))
    expect(guard.guard('').tokenize('Hi', tokenize)[0]).toBe(735)
    expect(
      guard
        .guard('')
        .tokenize('<|endoftext|>Hi', tokenize)
        .filter((token) => token === 735),
    ).toHaveLength(1)
  })
})

describe('thinking', () => {
  const probe = (source: string) => probeThinking(templateHere(native, source), [])
  const THINKS = `${PLAIN}{%- if enable_thinking -%}{{- '<think>\\n' -}}{%- endif -%}`
  const SWITCHES_OFF = `${PLAIN}{%- if enable_thinking is defined and not enable_thinking -%}{{- '<think>\\n\\n</think>\\n' -}}{%- endif -%}`
  const TAKES_EFFORT = `${PLAIN}{{- reasoning_effort -}}`

  it('is found in the template', () => {
    expect(probe(PLAIN)).toEqual({ takesEffort: false, opensItself: false })
    expect(probe(`${THINKS}{# </think> #}`)).toEqual({
      tags: { begin: '<think>', end: '</think>' },
      takesEffort: false,
      toggle: 'enable_thinking',
      opensItself: false,
    })
    expect(probe(SWITCHES_OFF)).toMatchObject({ toggle: 'enable_thinking', opensItself: true })
    expect(probe(TAKES_EFFORT)).toEqual({ takesEffort: true, opensItself: false })
  })

  it('is found in tags that the template only puts together', () => {
    const composed = PLAIN.replace(
      'm.content -}}',
      "((('<ponder{}>'.format(':x')) + m.reasoning_content + ('</ponder{}>'.format(':x'))) if m.reasoning_content else '') + m.content -}}",
    )
    expect(probe(composed).tags).toEqual({ begin: '<ponder:x>', end: '</ponder:x>' })
    expect(probe(`${PLAIN}{# <my:thinking> </my:thinking> #}`).tags).toEqual({
      begin: '<my:thinking>',
      end: '</my:thinking>',
    })
  })

  it('gets the effort in the way the template understands', () => {
    expect(thinkingVariables(probe(TAKES_EFFORT), 'low')).toEqual({ reasoning_effort: 'low' })
    expect(thinkingVariables(probe(SWITCHES_OFF), 'low')).toEqual({ enable_thinking: false })
    expect(thinkingVariables(probe(SWITCHES_OFF), 'high')).toEqual({ enable_thinking: true })
    expect(thinkingVariables(probe(SWITCHES_OFF), undefined)).toEqual({})
    expect(thinkingVariables(probe(PLAIN), 'high')).toEqual({})
  })

  it('gets fewer tokens the smaller the effort is', () => {
    const budget = (effort: 'low' | 'medium' | 'high' | undefined) => thinkingBudget(probe(SWITCHES_OFF), effort)
    expect(budget('low')).toBeLessThan(budget('medium'))
    expect(budget('high')).toBe(Number.POSITIVE_INFINITY)
    expect(budget(undefined)).toBe(Number.POSITIVE_INFINITY)
  })

  it('is recognized in a prompt that ends inside it, after it or before it', async () => {
    const marks = async (source: string, effort: 'low' | 'high') => {
      const job = { model: 'm', messages: MESSAGES, reasoningEffort: effort }
      return (await buildPrompt(job, study(source))).marks.thinking
    }
    expect(await marks(`${THINKS}{# </think> #}`, 'high')).toMatchObject({ isOpen: true })
    expect(await marks(SWITCHES_OFF, 'low')).toMatchObject({ isOpen: false, mayBegin: false })
    expect(await marks(SWITCHES_OFF, 'high')).toMatchObject({ isOpen: false, mayBegin: true })
  })
})
