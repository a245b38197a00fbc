// Models that think before they reply: how their thinking is marked, switched on and off, and limited. All of it is read from the template.
// On a model that doesn't think, reasoning effort has no effect.

import type { ChatJob } from '@hearth/protocol'
import type { ChatTemplate } from './chat-template.ts'
import type { TemplateMessage } from './template-messages.ts'
import { ASKED } from './template-traits.ts'

type Effort = NonNullable<ChatJob['reasoningEffort']>

export interface ThinkingTags {
  begin: string
  end: string
  /** Other texts that only come after thinking. */
  alsoEnds?: readonly string[]
  /** The model may think again after it has begun its reply. */
  isRepeated?: boolean
}

/** Texts around the content that aren't part of it. */
export interface ContentMarks {
  /** Only before the content. */
  before?: readonly string[]
  /** Before, inside and after it. */
  around?: readonly string[]
}

export interface ThinkingTraits {
  /** Absent if the model doesn't think, or thinks in messages of its own (see message-reader.ts). */
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
  { begin: '<|channel>thought', end: '<channel|>', isRepeated: true },
  { begin: '<|inner_prefix|>', end: '<|inner_suffix|>', isRepeated: true },
]

const TOGGLES = ['enable_thinking', 'thinking'] as const

/** Thinking tokens per effort; without an entry, as many as the model likes. */
const BUDGETS: Partial<Record<Effort, number>> = { low: 512, medium: 2048 }

/** `known` are the tags of the model's family, if they are known. */
export function probeThinking(
  template: ChatTemplate,
  specialTexts: readonly string[],
  known?: ThinkingTags,
): ThinkingTraits {
  const tags =
    known ??
    TAGS.find(({ end }) => template.source.includes(end)) ??
    namedTags(template.source) ??
    shownTags(template) ??
    TAGS.find(({ end }) => specialTexts.includes(end))
  const toggle = TOGGLES.find((name) => changes(template, name, true, false))
  return {
    ...(tags === undefined ? {} : { tags }),
    takesEffort: changes(template, 'reasoning_effort', 'low', 'high'),
    ...(toggle === undefined ? {} : { toggle }),
    opensItself: tags !== undefined && !isOpened(template, tags, toggle === undefined ? {} : { [toggle]: true }),
  }
}

/** Tags whose name says what they are for. */
function namedTags(source: string): ThinkingTags | undefined {
  const name = /<\/([\w:.-]*(?:think|reason)[\w:.-]*)>/i.exec(source)?.[1]
  return name === undefined || !source.includes(`<${name}>`) ? undefined : { begin: `<${name}>`, end: `</${name}>` }
}

const FIELDS = ['reasoning_content', 'reasoning', 'thinking'] as const
const THOUGHT = 'probe thought'

/** Tags that the template writes around the thoughts of an earlier reply. */
function shownTags(template: ChatTemplate): ThinkingTags | undefined {
  for (const field of FIELDS) {
    const reply: TemplateMessage = { role: 'assistant', content: 'probe content', [field]: THOUGHT }
    const shown = template.probe({ messages: [ASKED, reply], isComplete: true }) ?? ''
    const [before = '', after] = shown.split(THOUGHT)
    const begin = /(?:<[^<>\s]+>|\[[^[\]]+\])\s*$/.exec(before)?.[0].trim()
    const end = /^\s*(?:<[^<>\s]+>|\[[^[\]]+\])/.exec(after ?? '')?.[0].trim()
    if (begin !== undefined && end !== undefined) return { begin, end }
  }
  return undefined
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
