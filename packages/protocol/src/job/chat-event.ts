// Events that a job produces. Text comes in order per choice, tool calls come complete, and the end
// has the finish reason of every choice.

import { MAX_JOB_TOKENS, MAX_TOKEN_BYTES, MAX_TOKEN_LENGTH, MAX_TOP_LOGPROBS } from '../limits.ts'
import { asCount, asNumber } from '../read-fields.ts'
import { count, list, maybe, object, oneOf, text, type ValueOf } from '../shapes.ts'
import type { ToolCall } from './chat-job.ts'

export type ChatEvent =
  /**
   * `tokens`: those this choice took since its last text, including those that show none; absent on
   * an engine that does not count.
   * `ids`: those it took since it last reported any, for a job that asks for them. A text can be
   * empty and only report these.
   */
  | { type: 'text'; choice: number; text: string; tokens?: number; logprobs?: TokenLogprob[]; ids?: number[] }
  | { type: 'tool-calls'; choice: number; calls: ToolCall[] }
  | { type: 'annotations'; choice: number; annotations: UrlCitation[] }
  | { type: 'end'; finishes: FinishReason[]; usage?: Usage }

export const finishReason = oneOf(['stop', 'length', 'tool_calls'], 'stop')

export type FinishReason = ValueOf<typeof finishReason>

const token = {
  token: text(MAX_TOKEN_LENGTH),
  logprob: asNumber,
  /** UTF-8 bytes of the token, which may be only part of a character. */
  bytes: list(MAX_TOKEN_BYTES, count(255)),
}

export const tokenLogprob = object({ ...token, top: list(MAX_TOP_LOGPROBS, object(token)) })

export type TokenLogprob = ValueOf<typeof tokenLogprob>

export const urlCitation = object({
  url: text(8192),
  title: text(8192),
  /** Positions in the choice's text, in UTF-16 units; `end` is exclusive. */
  start: asCount,
  end: asCount,
})

export type UrlCitation = ValueOf<typeof urlCitation>

const tokens = count(MAX_JOB_TOKENS)

/** `completionTokens` counts one choice, even if there are several. */
export const usage = object({
  promptTokens: tokens,
  completionTokens: tokens,
  /**
   * Tokens of the prompt that did not have to be computed again, no matter which key sent them
   * before. Clients don't see it.
   */
  cachedTokens: maybe(tokens),
  /** Those of them that jobs with the same prefix scope sent or got before. */
  ownCachedTokens: maybe(tokens),
  reasoningTokens: maybe(tokens),
})

export type Usage = ValueOf<typeof usage>
