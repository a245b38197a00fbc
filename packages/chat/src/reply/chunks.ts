// Chunks of a streamed reply as server-sent events. The part that all chunks share is serialized once, so a token costs only one
// JSON.stringify of its text, between two ready-made strings.

import {
  MAX_CHOICES,
  type FinishReason,
  type TokenLogprob,
  type ToolCall,
  type UrlCitation,
  type Usage,
} from '@hearth/protocol'
import { flat } from '../flat.ts'
import { serializeHead, serializeUsage, shapeAnnotation, shapeLogprobs, shapeToolCalls } from './completion-shape.ts'

export const DONE = 'data: [DONE]\n\n'

// Some clients split lines at these characters, although neither JSON nor server-sent events do.
const UNSAFE_BREAKS = /[\u0085\u2028\u2029]/
const EVERY_UNSAFE_BREAK = new RegExp(UNSAFE_BREAKS, 'g')

const TAIL = ']}\n\n'
const USAGE_TAIL = '],"usage":null}\n\n'
/** By choice. */
const TEXT_HEADS = Array.from({ length: MAX_CHOICES }, (_, choice) => flat(`{"index":${choice},"delta":{"content":`))
const TEXT_TAIL = flat(`},"logprobs":null,"finish_reason":null}${TAIL}`)
const USAGE_TEXT_TAIL = flat(`},"logprobs":null,"finish_reason":null}${USAGE_TAIL}`)

export interface ChunkOptions {
  id: string
  created: number
  model: string
  /** Then every chunk but the last has `usage: null`. */
  includeUsage: boolean
  mirrorsFunctions: boolean
}

export class Chunks {
  readonly #head: string
  readonly #tail: string
  readonly #textTail: string
  readonly #mirrorsFunctions: boolean
  readonly #hasAsciiModel: boolean
  #callIds: Set<string> | undefined

  constructor({ id, created, model, includeUsage, mirrorsFunctions }: ChunkOptions) {
    this.#head = flat(`data: ${serializeHead('chat.completion.chunk', id, created, model)},"choices":[`)
    this.#tail = includeUsage ? USAGE_TAIL : TAIL
    this.#textTail = includeUsage ? USAGE_TEXT_TAIL : TEXT_TAIL
    this.#mirrorsFunctions = mirrorsFunctions
    this.#hasAsciiModel = isAscii(model)
  }

  /** Whether chunks with this text have only ASCII characters. */
  isAscii(text: string): boolean {
    return this.#hasAsciiModel && isAscii(text)
  }

  role(choice: number): string {
    return this.#chunk(choice, `{"role":"assistant","content":""}`)
  }

  text(choice: number, text: string, logprobs: readonly TokenLogprob[] | undefined): string {
    const head = this.#head + TEXT_HEADS[choice] + serialize(text)
    if (logprobs === undefined) return head + this.#textTail
    return `${head}},"logprobs":${JSON.stringify(shapeLogprobs(logprobs))},"finish_reason":null}${this.#tail}`
  }

  /** The same for ASCII text, which has nothing to escape but what JSON escapes. */
  asciiText(choice: number, text: string): string {
    return this.#head + TEXT_HEADS[choice] + JSON.stringify(text) + this.#textTail
  }

  toolCalls(choice: number, calls: readonly ToolCall[]): string {
    const toolCalls = shapeToolCalls(calls, (this.#callIds ??= new Set())).map((call, index) => ({ index, ...call }))
    const mirrored = this.#mirrorsFunctions && toolCalls[0] ? { function_call: toolCalls[0].function } : {}
    return this.#chunk(choice, serialize({ tool_calls: toolCalls, ...mirrored }))
  }

  annotations(choice: number, annotations: readonly UrlCitation[]): string {
    return this.#chunk(choice, serialize({ annotations: annotations.map(shapeAnnotation) }))
  }

  finish(choice: number, reason: FinishReason): string {
    return this.#chunk(choice, '{}', JSON.stringify(reason))
  }

  usage(usage: Usage): string {
    return `${this.#head}],"usage":${serializeUsage(usage)}}\n\n`
  }

  #chunk(choice: number, delta: string, finishReason = 'null'): string {
    return `${this.#head}{"index":${choice},"delta":${delta},"logprobs":null,"finish_reason":${finishReason}}${this.#tail}`
  }
}

function serialize(value: unknown): string {
  return escapeBreaks(JSON.stringify(value))
}

/** For JSON text, where these characters occur only inside strings. */
export function escapeBreaks(text: string): string {
  return UNSAFE_BREAKS.test(text) ? text.replaceAll(EVERY_UNSAFE_BREAK, escapeBreak) : text
}

function escapeBreak(character: string): string {
  return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
}

/** ASCII text is the same in every encoding, so it can be sent as it is. */
export function isAscii(text: string): boolean {
  return Buffer.byteLength(text) === text.length
}
