// The turns of a conversation and the messages they become.

import type { ApiFailure } from '../../../api/client.ts'
import { isEmpty, type Answer } from '../request/answer.ts'
import type { Message } from '../request/body.ts'
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

export function toMessages(system: string, turns: readonly Turn[]): Message[] {
  const instructions: Message[] = system.trim() === '' ? [] : [{ role: 'system', content: system }]
  return [...instructions, ...turns.flatMap(messagesOf)]
}

function messagesOf(turn: Turn): Message[] {
  switch (turn.role) {
    case 'user':
      return [{ role: 'user', content: contentOf(turn) }]
    case 'tool':
      return turn.results.map(({ call, text }) => ({ role: 'tool', tool_call_id: call.id, content: text }))
    case 'assistant':
      return messagesOfAssistant(turn)
    default:
      return turn satisfies never
  }
}

/** Files come first, so that the question is the last thing that the model reads. */
function contentOf({ text, files = [] }: UserTurn): string {
  return [...files.map(quoteFile), text].filter((part) => part.trim() !== '').join('\n\n')
}

/** The fence is longer than any in the file, so that the file can't end it. */
function quoteFile({ name, text }: Attachment): string {
  const longest = Math.max(2, ...Array.from(text.matchAll(/`{3,}/g), ([marks]) => marks.length))
  const fence = '`'.repeat(longest + 1)
  return `File: ${name}\n${fence}\n${text.replace(/\n$/, '')}\n${fence}`
}

// A failed response is not part of the conversation. A stopped one is, with the text it has.
function messagesOfAssistant({ state, answer, chosen }: AssistantTurn): Message[] {
  const choice = answer.choices[chosen]
  if (!choice || state === 'failed' || isEmpty(answer)) return []
  const { text, calls } = choice
  return [{ role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }]
}

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
