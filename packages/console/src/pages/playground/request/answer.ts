// The response so far. It grows in place, chunk by chunk. The page shows a copy of it, made once per frame.

import type { Chunk, TokenLogprob, ToolCall, Usage } from './read-stream.ts'

export interface Answer {
  choices: Choice[]
  usage: Usage | null
  /** The x-request-id of the response, under which the gateway lists the request. */
  request: string | null
  /** The id of the device that began the response. */
  device: string | null
  /** Milliseconds, as in performance.now(). */
  startedAt: number
  /** When the first text or tool call arrived. Null before that, and for responses that are not streamed. */
  firstAt: number | null
  /** When the latest text or tool call arrived. */
  lastAt: number | null
  endedAt: number | null
  /** JSON is shown verbatim, never as Markdown. */
  isJson: boolean
}

export interface Choice {
  text: string
  calls: ToolCall[]
  citations: Citation[]
  /** Empty unless the request asked for log probabilities. Grows in place, so a change shows in its length. */
  tokens: TokenLogprob[]
  tokenCount: number
  finish: string | null
}

export interface Citation {
  url: string
  title: string
}

/** A response that was not streamed. */
export interface WholeAnswer {
  choices: {
    index: number
    message: Chunk['choices'][number]['delta']
    logprobs?: { content: TokenLogprob[] | null } | null
    finish_reason: string
  }[]
  usage?: Usage
}

export function startAnswer(choices: number, startedAt: number, isJson: boolean): Answer {
  return {
    choices: Array.from({ length: choices }, startChoice),
    usage: null,
    request: null,
    device: null,
    startedAt,
    firstAt: null,
    lastAt: null,
    endedAt: null,
    isJson,
  }
}

function startChoice(): Choice {
  return { text: '', calls: [], citations: [], tokens: [], tokenCount: 0, finish: null }
}

/** `now` is null for a response that came as a whole, which has no first text to time. */
export function addChunk(answer: Answer, chunk: Chunk, now: number | null): void {
  if (chunk.usage) answer.usage = chunk.usage
  for (const { index, delta, logprobs, finish_reason: finish } of chunk.choices) {
    const choice = (answer.choices[index] ??= startChoice())
    const { content, tool_calls: calls = [], annotations = [] } = delta
    if (content || calls.length > 0) {
      answer.firstAt ??= now
      answer.lastAt = now
    }
    choice.text += content ?? ''
    choice.calls = [...choice.calls, ...calls]
    choice.citations = [
      ...choice.citations,
      ...annotations.flatMap(({ url_citation: citation }) => (citation ? [citation] : [])),
    ]
    if (logprobs?.content) choice.tokens.push(...logprobs.content)
    choice.tokenCount = choice.tokens.length
    if (finish !== null) choice.finish = finish
  }
}

export function addWhole(answer: Answer, { choices, ...rest }: WholeAnswer): void {
  addChunk(answer, { ...rest, choices: choices.map(({ message, ...choice }) => ({ ...choice, delta: message })) }, null)
}

/** A new object with the same content, so that React sees the change. */
export function copyAnswer(answer: Answer): Answer {
  return { ...answer, choices: answer.choices.map((choice) => ({ ...choice })) }
}

export function isEmpty({ choices }: Answer): boolean {
  return choices.every(({ text, calls }) => text === '' && calls.length === 0)
}

/** A pause that people notice. */
export const STALL_MS = 2_000

/** How long nothing had come when the response ended; undefined if that was no time to speak of. */
export function stalledMs({ startedAt, lastAt, endedAt }: Answer): number | undefined {
  const ms = (endedAt ?? startedAt) - (lastAt ?? startedAt)
  return ms < STALL_MS ? undefined : ms
}

/** Tokens per second of one choice, starting at the first token. Null without a token count or enough tokens to measure. */
export function speedOf({ usage, startedAt, firstAt, endedAt, choices }: Answer): number | null {
  const tokens = usage?.completion_tokens ?? Math.max(...choices.map(({ tokenCount }) => tokenCount), 0)
  if (endedAt === null || tokens < 2) return null
  const seconds = (endedAt - (firstAt ?? startedAt)) / 1000
  const counted = firstAt === null ? tokens : tokens - 1
  return seconds > 0 ? counted / seconds : null
}
