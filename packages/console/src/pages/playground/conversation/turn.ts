// The turns of a conversation.

import type { ApiFailure } from '../../../api/client.ts'
import type { Answer } from '../request/answer.ts'
import type { ToolCall } from '../request/read-stream.ts'

export type Turn = UserTurn | ToolTurn | AssistantTurn

export interface UserTurn {
  id: number
  role: 'user'
  text: string
  files?: readonly Attachment[]
}

/** A text file that goes into the prompt. */
export interface Attachment {
  id: number
  name: string
  /** In bytes. */
  size: number
  text: string
}

/** Tool results that a person typed in. */
export interface ToolTurn {
  id: number
  role: 'tool'
  results: ToolResult[]
}

export interface ToolResult {
  call: ToolCall
  text: string
}

export interface AssistantTurn {
  id: number
  role: 'assistant'
  /** The model that was asked. */
  model: string
  answer: Answer
  state: 'running' | 'done' | 'stopped' | 'failed'
  failure: Failure | null
  /** The choice that the conversation continues with. */
  chosen: number
}

/** An error in plain data, which can be kept. */
export type Failure = Pick<ApiFailure, 'status' | 'code' | 'message' | 'param'>

/** The turns of the last request: everything before the final response. */
export function requestedTurns(turns: readonly Turn[]): readonly Turn[] {
  return turns.slice(0, turns.findLastIndex(({ role }) => role !== 'assistant') + 1)
}

/** How many turns come after this question and its response. */
export function laterTurns(turns: readonly Turn[], question: number): number {
  const after = turns.slice(turns.findIndex(({ id }) => id === question) + 1)
  return after.length - (after[0]?.role === 'assistant' ? 1 : 0)
}

export function isRunning(turns: readonly Turn[]): boolean {
  const last = turns.at(-1)
  return last?.role === 'assistant' && last.state === 'running'
}

/** The same turns, in which no response grows any more. */
export function stopAll(turns: readonly Turn[]): readonly Turn[] {
  return turns.map((turn) =>
    turn.role === 'assistant' && turn.state === 'running' ? { ...turn, state: 'stopped' } : turn,
  )
}

/** Tool calls of the last response that have no results yet. */
export function openCalls(turns: readonly Turn[]): readonly ToolCall[] {
  const last = turns.at(-1)
  if (last?.role !== 'assistant' || last.state !== 'done') return []
  return last.answer.choices[last.chosen]?.calls ?? []
}
