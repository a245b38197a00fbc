// Events that a job produces. Text comes in order per choice, tool calls come complete, and the end has the finish reason of every choice.

import type { ToolCall } from './chat-job.ts'

export type ChatEvent =
  /**
   * `tokens`: those this choice took since its last text, including those that show none; absent on an engine that does not count.
   * `ids`: those it took since it last reported any, for a job that asks for them. A text can be empty and only report these.
   */
  | { type: 'text'; choice: number; text: string; tokens?: number; logprobs?: TokenLogprob[]; ids?: number[] }
  | { type: 'tool-calls'; choice: number; calls: ToolCall[] }
  | { type: 'annotations'; choice: number; annotations: UrlCitation[] }
  | { type: 'end'; finishes: FinishReason[]; usage?: Usage }

export type FinishReason = 'stop' | 'length' | 'tool_calls'

export interface TokenLogprob {
  token: string
  logprob: number
  /** UTF-8 bytes of the token, which may be only part of a character. */
  bytes: number[]
  top: { token: string; logprob: number; bytes: number[] }[]
}

export interface UrlCitation {
  url: string
  title: string
  /** Positions in the choice's text, in UTF-16 units; `end` is exclusive. */
  start: number
  end: number
}

/** `completionTokens` counts one choice, even if there are several. */
export interface Usage {
  promptTokens: number
  completionTokens: number
  /** Tokens of the prompt that did not have to be computed again, no matter which key sent them before. Clients don't see it. */
  cachedTokens?: number
  /** Those of them that jobs with the same prefix scope sent or got before. */
  ownCachedTokens?: number
  reasoningTokens?: number
}
