import type { ToolCall } from './read-stream.ts'

/** The body of a chat completions request. */
export interface Body extends Record<string, unknown> {
  model: string
  messages: Message[]
}

export type Message =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string; tool_calls?: ToolCall[] }
  | { role: 'tool'; tool_call_id: string; content: string }
