// Models that think before they answer: how their thinking is marked, how it is switched and how it is limited. All of it is found out
// from the template; a model that does not think takes any effort without effect.

import type { ChatJob } from '@hearth/protocol'
import type { ChatTemplate } from './chat-template.ts'
import { ASKED } from './template-traits.ts'

type Effort = NonNullable<ChatJob['reasoningEffort']>

export interface ThinkingTags {
  begin: string
  end: string
}

export interface ThinkingTraits {
  /** Absent when the model does not think, or in channels (see harmony.ts). */
  tags?: ThinkingTags
  /** The template itself takes low, medium and high. */
  takesEffort: boolean
  /** The template's switch for thinking at all. */
  toggle?: string
  /** The model writes the tag that begins its thinking; otherwise only the prompt does. */
  opensItself: boolean
}

const TAGS: readonly ThinkingTags[] = [
  { begin: '<think>', end: '</think>' },
  { begin: '[THINK]', end: '[/THINK]' },
  { begin: '<seed:think>', end: '</seed:think>' },
  { begin: '<|START_THINKING|>', end: '<|END_THINKING|>' },
  { begin: '<|channel>thought', end: '<channel|>' },
]

const TOGGLES = ['enable_thinking', 'thinking'] as const

/** Tokens of thinking per effort; without an entry as many as the model likes. */
const BUDGETS: Partial<Record<Effort, number>> = { low: 512, medium: 2048 }

export function probeThinking(template: ChatTemplate, specialTexts: readonly string[]): ThinkingTraits {
  const tags = TAGS.find(({ end }) => template.source.includes(end) || specialTexts.includes(end))
  const toggle = TOGGLES.find((name) => changes(template, name, true, false))
  return {
    ...(tags === undefined ? {} : { tags }),
    takesEffort: changes(template, 'reasoning_effort', 'low', 'high'),
    ...(toggle === undefined ? {} : { toggle }),
    opensItself: tags !== undefined && !isOpened(template, tags, toggle === undefined ? {} : { [toggle]: true }),
  }
}

function isOpened(template: ChatTemplate, tags: ThinkingTags, variables: Record<string, unknown>): boolean {
  return endsWithinThinking(template.probe({ messages: [ASKED], variables }) ?? '', tags)
}

function changes(template: ChatTemplate, name: string, one: unknown, other: unknown): boolean {
  const render = (value: unknown) => template.probe({ messages: [ASKED], variables: { [name]: value } })
  return render(one) !== render(other)
}

/** What the template is told. Without an effort the model does what it does by default. */
export function thinkingVariables(traits: ThinkingTraits, effort: Effort | undefined): Record<string, unknown> {
  if (effort === undefined) return {}
  return {
    ...(traits.takesEffort ? { reasoning_effort: effort } : {}),
    ...(traits.toggle === undefined ? {} : { [traits.toggle]: effort !== 'low' }),
  }
}

/** Where the template takes the effort, the model limits itself. */
export function thinkingBudget(traits: ThinkingTraits, effort: Effort | undefined): number {
  if (effort === undefined || traits.takesEffort) return Number.POSITIVE_INFINITY
  return BUDGETS[effort] ?? Number.POSITIVE_INFINITY
}

/** Whether the prompt has thinking behind it. */
export function endsAfterThinking(prompt: string, { end }: ThinkingTags): boolean {
  return prompt.trimEnd().endsWith(end)
}

/** Whether the prompt ends within thinking: the reply then begins there. */
export function endsWithinThinking(prompt: string, { begin, end }: ThinkingTags): boolean {
  return prompt.trimEnd().endsWith(begin) && prompt.lastIndexOf(begin) > prompt.lastIndexOf(end)
}
