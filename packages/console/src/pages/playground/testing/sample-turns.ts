import { addChunk, startAnswer, type Answer } from '../request/answer.ts'
import type { Chunk, ToolCall } from '../request/read-stream.ts'
import type { AssistantTurn, Turn } from '../conversation/turn.ts'

export const CALL: ToolCall = { id: 'call_1', type: 'function', function: { name: 'look', arguments: '{}' } }

export function chunk(content: string, index = 0, finish: string | null = null): Chunk {
  return { choices: [{ index, delta: { content }, finish_reason: finish }] }
}

export function answered(...texts: string[]): Answer {
  const answer = startAnswer(texts.length, 0, false)
  texts.forEach((text, index) => addChunk(answer, chunk(text, index, 'stop'), 1))
  return answer
}

export function assistantTurn(answer: Answer, changes: Partial<AssistantTurn> = {}): AssistantTurn {
  return { id: 2, role: 'assistant', model: 'm', answer, state: 'done', failure: null, chosen: 0, ...changes }
}

export const USER: Turn = { id: 1, role: 'user', text: 'Hi' }
