// Describes how a model writes tool calls. Every family has its own format; they all have fixed texts around a name and around the arguments,
// which are either one JSON object or tagged one by one.

/** Fixed text with placeholders for ids and numbers. */
export type Wording = readonly (string | { readonly any: 'id' | 'number' })[]

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
  trigger: { texts: readonly string[]; isOnlyFirst: boolean }
}

/** Each argument is: keyOpen key assign value valueClose, and `glue` between two of them. */
export interface ArgumentTags {
  keyOpen: string
  assign: string
  valueClose: string
  glue: string
  /** Around values that are text; others are JSON. */
  stringOpen: string
  stringClose: string
}

const OPEN = '<tool_call>\n{"name": "'
const CLOSE = '}\n</tool_call>'

/** For models whose template doesn't support tools (see general-tools.ts). */
export const GENERAL_SYNTAX: ToolSyntax = {
  begin: [OPEN],
  middle: ['", "arguments": '],
  between: [`${CLOSE}\n${OPEN}`],
  end: [CLOSE],
  trigger: { texts: ['<tool_call>'], isOnlyFirst: false },
}

/** The part of `begin` that identifies a call; undefined if there is none. */
export function findTrigger(begin: Wording, specialTexts: readonly string[]): ToolSyntax['trigger'] | undefined {
  const first = begin[0]
  const text = typeof first === 'string' ? first.trimStart() : ''
  const special = specialTexts
    .filter((candidate) => text.startsWith(candidate))
    .toSorted((a, b) => b.length - a.length)[0]
  if (special !== undefined) return { texts: [special], isOnlyFirst: false }
  const tag = /^[<[(|][^\s{"]*/.exec(text)?.[0]
  if (tag !== undefined && tag.length > 3) return { texts: [tag], isOnlyFirst: false }
  if (text === '') return undefined
  // Bare JSON could also be content, so it only counts at the beginning.
  const compact = text.replaceAll(/(?<=[:,{])\s+/g, '')
  return { texts: [...new Set([text, compact])], isOnlyFirst: true }
}
