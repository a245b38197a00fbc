// Learns how a model writes tool calls from its template: renders an assistant message with known calls, and reads the text between the
// known parts.

import type { ChatTemplate } from '../template/chat-template.ts'
import type { TemplateCall, TemplateMessage, TemplateTraits } from '../template/template-messages.ts'
import { ASKED, PROBE_TOOL, probeCall } from '../template/template-traits.ts'
import { findTrigger, type ArgumentTags, type ToolSyntax, type Wording } from './tool-syntax.ts'

/** Some templates sort the names. */
const ARGUMENTS = { probe_alpha: 'probe value', probe_beta: 12_345, probe_gamma: 'final value' }
const NAMES = ['probe_tool_one', 'probe_tool_two'] as const
/** Nine letters and digits, which some templates require. */
const IDS = ['probeid01', 'probeid02'] as const

export interface ProbeContext {
  template: ChatTemplate
  traits: TemplateTraits
  /** Texts of the tokens that end a reply. */
  endTexts: readonly string[]
  /** Texts of control and user-defined tokens. */
  specialTexts: readonly string[]
}

/** Undefined if the template doesn't show calls, or shows them in a way that can't be parsed. */
export function probeToolSyntax(context: ProbeContext): ToolSyntax | undefined {
  const one = renderCalls(context, 1)
  const split = one === undefined ? undefined : splitCall(one, NAMES[0])
  if (split === undefined) return undefined
  const begin = withPlaces(split.begin)
  const trigger = findTrigger(begin, context.specialTexts)
  const between = probeBetween(context, split)
  return (
    trigger && {
      begin,
      middle: withPlaces(split.middle),
      ...(between === undefined ? {} : { between }),
      end: withPlaces(split.end),
      ...(split.tags === undefined ? {} : { tags: split.tags }),
      trigger,
    }
  )
}

/** The part of the rendered text that the assistant would write. */
function renderCalls(context: ProbeContext, count: 1 | 2): string | undefined {
  const { template, traits, endTexts } = context
  const value = traits.takesArguments === 'text' ? JSON.stringify(ARGUMENTS) : ARGUMENTS
  const calls: TemplateCall[] = NAMES.slice(0, count).map((name, index) => probeCall(name, IDS[index]!, value))
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
  const parts = cutAt(after, ['probe_alpha', 'probe value', 'probe_beta', '12345', 'probe_gamma', 'final value'])
  if (parts === undefined) return undefined
  const [open, firstAssign, firstNext, assign, next, lastAssign, rest] = parts as [
    string,
    string,
    string,
    string,
    string,
    string,
    string,
  ]
  const stringOpen = firstAssign.slice(assign.length)
  const stringClose = firstNext.slice(0, firstNext.length - next.length)
  const isRegular = firstAssign === lastAssign && firstAssign.startsWith(assign) && firstNext.endsWith(next)
  if (!isRegular || !rest.startsWith(stringClose) || assign === '' || next === '') return undefined
  const end = rest.slice(stringClose.length).trimEnd()
  // The text that follows every value closes the value; the text from there to the next key opens that key.
  const valueClose = next.slice(0, beginOfTag(next, commonLength(next, end)))
  const keyOpen = next.slice(valueClose.length)
  const tags = { assign, stringOpen, stringClose }
  if (valueClose === '' || !open.endsWith(keyOpen))
    return { begin, middle: open, end, tags: { ...tags, keyOpen: '', valueClose: '', glue: next } }
  return {
    begin,
    middle: open.slice(0, open.length - keyOpen.length),
    end: end.slice(valueClose.length),
    tags: { ...tags, keyOpen, valueClose, glue: '' },
  }
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
  const second = reply?.indexOf(NAMES[1]) ?? -1
  if (reply === undefined || second < 0) return undefined
  const from = endOfArguments(reply.slice(0, second), first)
  const split = splitCall(reply.slice(from), NAMES[1])
  // A model that numbers its calls writes a different number each time.
  return split !== undefined && sameWording(split.middle, first.middle)
    ? withPlaces(reply.slice(from, second))
    : undefined
}

function endOfArguments(reply: string, first: SplitCall): number {
  const last = reply.indexOf('final value') + 'final value'.length
  if (first.tags === undefined) return reply.indexOf('}', last) + 1
  return last + first.tags.stringClose.length + first.tags.valueClose.length
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
