// Learns how a model writes tool calls from its template: renders an assistant message with known calls, and reads the text between the
// known parts.

import type { ChatTemplate } from '../template/chat-template.ts'
import type { TemplateCall, TemplateMessage, TemplateTraits } from '../template/template-messages.ts'
import { ASKED, PROBE_TOOL, probeCall } from '../template/template-traits.ts'
import {
  KEY,
  findSlips,
  findTriggers,
  type ArgumentTags,
  type ToolSyntax,
  type Wording,
} from '../../formats/tool-syntax.ts'

/** Some templates sort the names. */
const ARGUMENTS = { probe_alpha: 'probe value', probe_beta: 12_345, probe_gamma: 'final value' }
/** Some templates require ids of nine letters and digits. */
const PROBES = [
  { name: 'probe_tool_one', id: 'probeid01' },
  { name: 'probe_tool_two', id: 'probeid02' },
] as const

export interface ProbeContext {
  template: ChatTemplate
  traits: TemplateTraits
  /** Texts of the tokens that end a reply. */
  endTexts: readonly string[]
  /** Texts of control and user-defined tokens. */
  specialTexts: readonly string[]
  /** The text that ends the model's thinking, if it thinks. */
  thinkingEnd?: string
}

/** Undefined if the template doesn't show calls, or shows them in a way that can't be parsed. */
export function probeToolSyntax(context: ProbeContext): ToolSyntax | undefined {
  const one = renderCalls(context, 1)
  const split = one === undefined ? undefined : splitCall(one, PROBES[0].name)
  if (split === undefined) return undefined
  const begin = withPlaces(afterThinking(split.begin, context.thinkingEnd))
  const slips = findSlips(begin)
  const triggers = findTriggers([begin, ...slips], context.specialTexts)
  const between = probeBetween(context, split)
  return (
    triggers && {
      begin,
      middle: withPlaces(split.middle),
      ...(between === undefined ? {} : { between }),
      end: withPlaces(split.end),
      ...(split.tags === undefined ? {} : { tags: withNesting(context, split.tags) }),
      ...(slips.length === 0 ? {} : { slips }),
      triggers,
    }
  )
}

/** Some templates write a plan before calls; it is thinking, not part of the calls. */
function afterThinking(begin: string, end: string | undefined): string {
  const at = end === undefined ? -1 : begin.lastIndexOf(end)
  return end === undefined || at < 0 ? begin : begin.slice(at + end.length).trimStart()
}

/** The part of the rendered text that the assistant would write. */
function renderCalls(context: ProbeContext, count: 1 | 2, args: object = ARGUMENTS): string | undefined {
  const { template, traits, endTexts } = context
  const value = traits.takesArguments === 'text' ? JSON.stringify(args) : args
  const calls: TemplateCall[] = PROBES.slice(0, count).map(({ name, id }) => probeCall(name, id, value))
  const render = (reply: Partial<TemplateMessage>) =>
    template.probe({
      messages: [ASKED, { role: 'assistant', content: '', ...reply }],
      tools: [PROBE_TOOL],
      isComplete: true,
    })
  const [spoken, called] = [render({ content: 'probe content' }), render({ tool_calls: calls })]
  if (spoken === undefined || called === undefined) return undefined
  const reply = called.slice(beginOfTag(called, commonLength(spoken, called)))
  const ends = endTexts.map((text) => reply.indexOf(text)).filter((at) => at >= 0)
  return ends.length === 0 ? reply : reply.slice(0, Math.min(...ends))
}

/** Two tags can begin the same way: goes back to the beginning of this one. */
function beginOfTag(text: string, at: number): number {
  return at - (/(<[^<>\s]*|\[[A-Z_]*)$/.exec(text.slice(0, at))?.[0].length ?? 0)
}

function commonLength(a: string, b: string): number {
  let length = 0
  while (length < a.length && a[length] === b[length]) length++
  return length
}

interface SplitCall {
  begin: string
  middle: string
  end: string
  tags: ArgumentTags | undefined
}

function splitCall(reply: string, name: string): SplitCall | undefined {
  const at = reply.indexOf(name)
  if (at < 0) return undefined
  const begin = reply.slice(0, at).trimStart()
  const after = reply.slice(at + name.length)
  const json = findJson(after)
  if (json !== undefined)
    return { begin, middle: after.slice(0, json.from), end: after.slice(json.to).trimEnd(), tags: undefined }
  return splitTagged(begin, after)
}

/** Handles arguments that are one JSON object. */
function findJson(text: string): { from: number; to: number } | undefined {
  const from = text.lastIndexOf('{', text.indexOf('probe_alpha'))
  const to = text.indexOf('}', text.indexOf('final value')) + 1
  if (from < 0 || to <= 0) return undefined
  try {
    return JSON.stringify(JSON.parse(text.slice(from, to))) === JSON.stringify(ARGUMENTS) ? { from, to } : undefined
  } catch {
    return undefined
  }
}

function splitTagged(begin: string, after: string): SplitCall | undefined {
  const cut = cutAt(after, ['probe_alpha', 'probe value', 'probe_beta', '12345', 'probe_gamma', 'final value'])
  if (cut === undefined) return undefined
  // A closing tag may repeat the key.
  const parts = cut.map((part) => part.replace(/probe_(?:alpha|beta|gamma)/, KEY))
  const [open, firstAssign, firstNext, assign, next, lastAssign, rest] = parts as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const same = commonLength(firstAssign, assign)
  const [stringOpen, otherOpen] = [firstAssign.slice(same), assign.slice(same)]
  const stringClose = firstNext.slice(0, firstNext.length - next.length)
  const isRegular = firstAssign === lastAssign && firstNext.endsWith(next) && rest.startsWith(stringClose)
  if (!isRegular || same === 0 || next === '') return undefined
  const end = rest.slice(stringClose.length).trimEnd()
  // The text that follows every value closes the value; the text from there to the next key opens that key.
  const valueClose = closeOf(next, end)
  const keyOpen = next.slice(valueClose.length)
  const tags = {
    assign: assign.slice(0, same),
    stringOpen,
    stringClose,
    ...(otherOpen === '' ? {} : { otherOpen: anyType(otherOpen) }),
  }
  if (valueClose === '' || !open.endsWith(keyOpen))
    return { begin, middle: open, end, tags: { ...tags, keyOpen: '', valueClose: '', glue: next } }
  return {
    begin,
    middle: open.slice(0, open.length - keyOpen.length),
    end: end.slice(valueClose.length),
    tags: { ...tags, keyOpen, valueClose, glue: '' },
  }
}

function closeOf(next: string, end: string): string {
  const key = next.indexOf(KEY)
  return next.slice(0, key < 0 ? beginOfTag(next, commonLength(next, end)) : next.indexOf('>', key) + 1)
}

/** In a format that names the type of each value, the probe's number stands for all types. */
function anyType(text: string): Wording {
  return text.startsWith('number') ? [{ any: 'word' }, text.slice('number'.length)] : [text]
}

const NESTED = { probe_alpha: { probe_inner: 'probe value' } }

function withNesting(context: ProbeContext, tags: ArgumentTags): ArgumentTags {
  if (tags.keyOpen === '') return tags
  const isNested = renderCalls(context, 1, NESTED)?.includes(`${tags.keyOpen}probe_inner${tags.assign}`) === true
  return isNested ? { ...tags, isNested } : tags
}

/** The texts between the marks, which appear in this order. */
function cutAt(text: string, marks: readonly string[]): string[] | undefined {
  const parts: string[] = []
  let from = 0
  for (const mark of marks) {
    const at = text.indexOf(mark, from)
    if (at < 0) return undefined
    parts.push(text.slice(from, at))
    from = at + mark.length
  }
  return [...parts, text.slice(from)]
}

function probeBetween(context: ProbeContext, first: SplitCall): Wording | undefined {
  const reply = renderCalls(context, 2)
  const second = reply?.indexOf(PROBES[1].name) ?? -1
  if (reply === undefined || second < 0) return undefined
  const from = endOfArguments(reply.slice(0, second), first)
  const split = splitCall(reply.slice(from), PROBES[1].name)
  // A model that numbers its calls writes a different number each time.
  return split !== undefined && sameWording(split.middle, first.middle)
    ? withPlaces(reply.slice(from, second))
    : undefined
}

function endOfArguments(reply: string, first: SplitCall): number {
  const last = reply.indexOf('final value') + 'final value'.length
  if (first.tags === undefined) return reply.indexOf('}', last) + 1
  return last + first.tags.stringClose.length + first.tags.valueClose.replace(KEY, 'probe_gamma').length
}

function sameWording(a: string, b: string): boolean {
  const plain = (text: string) => text.replaceAll(/probeid0\d|\d+/g, '#')
  return plain(a) === plain(b)
}

/** Ids and numbers differ from call to call. */
function withPlaces(text: string): Wording {
  return text
    .split(/(probeid0\d|\b\d+\b)/)
    .map((part) => {
      if (/^probeid0\d$/.test(part)) return { any: 'id' } as const
      return /^\d+$/.test(part) ? ({ any: 'number' } as const) : part
    })
    .filter((part) => part !== '')
}
