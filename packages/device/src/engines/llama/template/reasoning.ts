// Models that think before they reply: how their thinking is marked, switched on and off, and limited. All of it is read from the template.
// On a model that doesn't think, reasoning effort has no effect.

import type { ChatJob } from '@hearth/protocol'
import type { ChatTemplate } from './chat-template.ts'
import { ASKED } from './template-traits.ts'

type Effort = NonNullable<ChatJob['reasoningEffort']>

export interface ThinkingTags {
  begin: string
  end: string
}

export interface ThinkingTraits {
  /** Absent if the model doesn't think, or thinks in channels (see harmony.ts). */
  tags?: ThinkingTags
  /** The template accepts low, medium and high. */
  takesEffort: boolean
  /** The template's variable that turns thinking on and off. */
  toggle?: string
  /** The model writes the tag that begins its thinking; otherwise the prompt does. */
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

/** Thinking tokens per effort; without an entry, as many as the model likes. */
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

/** The variables for the template. Without an effort, the model does what it does by default. */
export function thinkingVariables(traits: ThinkingTraits, effort: Effort | undefined): Record<string, unknown> {
  if (effort === undefined) return {}
  return {
    ...(traits.takesEffort ? { reasoning_effort: effort } : {}),
    ...(traits.toggle === undefined ? {} : { [traits.toggle]: effort !== 'low' }),
  }
}

/** If the template accepts the effort, the model limits itself. */
export function thinkingBudget(traits: ThinkingTraits, effort: Effort | undefined): number {
  if (effort === undefined || traits.takesEffort) return Number.POSITIVE_INFINITY
  return BUDGETS[effort] ?? Number.POSITIVE_INFINITY
}

/** Whether the prompt ends after thinking. */
export function endsAfterThinking(prompt: string, { end }: ThinkingTags): boolean {
  return prompt.trimEnd().endsWith(end)
}

/** Whether the prompt ends inside thinking, so that the reply begins there. */
export function endsWithinThinking(prompt: string, { begin, end }: ThinkingTags): boolean {
  return prompt.trimEnd().endsWith(begin) && prompt.lastIndexOf(begin) > prompt.lastIndexOf(end)
}
