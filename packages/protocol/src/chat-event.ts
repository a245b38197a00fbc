// What a job yields on its way back. A device sends text in order per choice; tool calls come whole; the end names every choice's reason.

import type { ToolCall } from './chat-job.ts'

export type ChatEvent =
  /** `tokens`: those this choice took since its last text, also those that show none; absent on an engine that does not count. */
  | { type: 'text'; choice: number; text: string; tokens?: number; logprobs?: TokenLogprob[] }
  | { type: 'tool-calls'; choice: number; calls: ToolCall[] }
  | { type: 'annotations'; choice: number; annotations: UrlCitation[] }
  | { type: 'end'; finishes: FinishReason[]; usage?: Usage }

export type FinishReason = 'stop' | 'length' | 'tool_calls'

export interface TokenLogprob {
  token: string
  logprob: number
  /** UTF-8 bytes of the token: a token may hold only a part of a character. */
  bytes: number[]
  top: { token: string; logprob: number; bytes: number[] }[]
}

export interface UrlCitation {
  url: string
  title: string
  /** Positions in the choice's text, counted in UTF-16 units, end exclusive. */
  start: number
  end: number
}

/** `completionTokens` counts one choice, also when there are several. */
export interface Usage {
  promptTokens: number
  completionTokens: number
  cachedTokens?: number
  reasoningTokens?: number
}
