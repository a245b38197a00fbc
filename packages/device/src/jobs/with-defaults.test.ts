import type { ChatJob, ModelDefaults } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import { withDefaults } from './with-defaults.ts'

const JOB: ChatJob = { model: 'm', messages: [{ role: 'user', content: 'Hi' }] }
const DEFAULTS: ModelDefaults = {
  temperature: 0.2,
  topP: 0.9,
  maxTokens: 100,
  frequencyPenalty: 0.1,
  presencePenalty: -0.1,
  chatTemplate: '{{ messages[0].content }}',
}

describe('the defaults of a model', () => {
  it('[E60] fill in what the request leaves open', () => {
    expect(withDefaults(JOB, DEFAULTS)).toStrictEqual({ ...JOB, ...DEFAULTS })
  })

  it('[E60] never replace a field of the request, not even one that is zero', () => {
    const own = { temperature: 0, topP: 0, maxTokens: 1, frequencyPenalty: 0, presencePenalty: 0 }
    const { chatTemplate } = DEFAULTS
    expect(withDefaults({ ...JOB, ...own }, DEFAULTS)).toStrictEqual({ ...JOB, ...own, chatTemplate })
  })

  it('[E60c] only bend a reply at temperature 0 if somebody set them', () => {
    const defaults = { ...DEFAULTS, recommended: ['temperature', 'frequencyPenalty'] }
    const { frequencyPenalty: _, ...set } = DEFAULTS
    expect(withDefaults(JOB, defaults)).toStrictEqual({ ...JOB, ...DEFAULTS })
    expect(withDefaults({ ...JOB, temperature: 0 }, defaults)).toStrictEqual({ ...JOB, ...set, temperature: 0 })
    const own = { temperature: 0, frequencyPenalty: 0.3 }
    expect(withDefaults({ ...JOB, ...own }, defaults)).toStrictEqual({ ...JOB, ...set, ...own })
    const greedy = { ...DEFAULTS, temperature: 0, recommended: ['frequencyPenalty'] }
    expect(withDefaults(JOB, greedy)).toStrictEqual({ ...JOB, ...set, temperature: 0 })
  })

  it('[E60a] put a system message before a conversation that has none', () => {
    const { messages } = withDefaults(JOB, { systemMessage: 'Be brief.' })
    expect(messages).toStrictEqual([{ role: 'system', content: 'Be brief.' }, ...JOB.messages])
  })

  it('[E60a] leave a conversation with a system message alone, wherever that stands', () => {
    const messages: ChatJob['messages'] = [...JOB.messages, { role: 'system', content: 'Be long.' }]
    expect(withDefaults({ ...JOB, messages }, { systemMessage: 'Be brief.' }).messages).toBe(messages)
  })

  it('[E60] change nothing without defaults', () => {
    expect(withDefaults(JOB, undefined)).toBe(JOB)
  })
})
