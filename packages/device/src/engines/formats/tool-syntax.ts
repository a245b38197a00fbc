// Describes how a model writes tool calls. Every family has its own format; they all have fixed texts around a name and around the arguments,
// which are either one JSON object or written one by one.

/** Fixed text with placeholders for texts that differ from call to call. */
export type Wording = readonly (string | { readonly any: 'id' | 'number' | 'word' })[]

export interface ToolSyntax {
  /** Before the first name. */
  begin: Wording
  /** From the name to the arguments. */
  middle: Wording
  /** From the arguments to the next name; absent if a reply can only have one call. */
  between?: Wording
  /** After the last arguments, up to the end of the reply. */
  end: Wording
  /** Absent if the arguments are JSON. */
  tags?: ArgumentTags
  /** Other beginnings that models of this family write now and then. */
  slips?: readonly Wording[]
  triggers: readonly Trigger[]
}

/** A text that begins calls. */
export interface Trigger {
  /** NAME stands for the name of any of the request's tools. */
  text: string
  /** Counts only at the very beginning of the content. */
  isOnlyFirst: boolean
}

export const NAME = '\u{F0000}'

/** Each argument is: keyOpen key assign value valueClose, and `glue` between two of them. */
export interface ArgumentTags {
  /** If empty, values are literals, as in a program. */
  keyOpen: string
  assign: string
  /** KEY stands for the argument's key. */
  valueClose: string
  glue: string
  /** Around values that are text; others are JSON. */
  stringOpen: string
  stringClose: string
  /** Before values that aren't text, in formats that name a value's type. */
  otherOpen?: Wording
  /** The items of lists and objects have tags of their own. */
  isNested?: boolean
  /** Text that contains tags is wrapped in these. */
  wrapper?: { open: string; close: string }
}

export const KEY = '\u{F0001}'

/** The tag of each item of a list, in formats where items have tags. */
export const ITEM = 'item'

const OPEN = '<tool_call>\n{"name": "'
const CLOSE = '}\n</tool_call>'

/** For models whose template doesn't support tools (see general-tools.ts). */
export const GENERAL_SYNTAX: ToolSyntax = {
  begin: [OPEN],
  middle: ['", "arguments": '],
  between: [`${CLOSE}\n${OPEN}`],
  end: [CLOSE],
  triggers: [{ text: '<tool_call>', isOnlyFirst: false }],
}

/** All beginnings, the proper one first. */
export function beginsOf({ begin, slips = [] }: ToolSyntax): readonly Wording[] {
  return [begin, ...slips]
}

/** Some models leave out the first of several opening tags. */
export function findSlips(begin: Wording): Wording[] {
  const [text] = begin
  if (begin.length !== 1 || typeof text !== 'string') return []
  const second = text.indexOf('<', 1)
  return second > 0 && text.startsWith('<') && TAG.test(text.slice(second)) ? [[text.slice(second)]] : []
}

const TAG = /^[<[(|\]][^\s{"]{3,}/

/** The part of each beginning that identifies a call; undefined if there is none. */
export function findTriggers(begins: readonly Wording[], specialTexts: readonly string[]): Trigger[] | undefined {
  const found = begins.map((begin) => findTrigger(begin, specialTexts))
  return found[0] === undefined ? undefined : found.flatMap((triggers) => triggers ?? [])
}

function findTrigger(begin: Wording, specialTexts: readonly string[]): Trigger[] | undefined {
  const first = begin[0]
  const text = typeof first === 'string' ? first.trimStart() : ''
  const special = specialTexts
    .filter((candidate) => text.startsWith(candidate))
    .toSorted((a, b) => b.length - a.length)[0]
  if (special !== undefined) return [{ text: special, isOnlyFirst: false }]
  const tag = TAG.exec(text)?.[0]
  if (tag !== undefined) return [{ text: tag, isOnlyFirst: false }]
  if (text === '') return undefined
  // Bare JSON could also be content, so it only counts at the beginning.
  const compact = text.replaceAll(/(?<=[:,{])\s+/g, '')
  return [...new Set([text, compact])].map((start) => ({ text: start, isOnlyFirst: true }))
}
