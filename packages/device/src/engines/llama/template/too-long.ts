// The error of a conversation that is longer than the model's context.

import type { ChatJob } from '@hearth/protocol'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { EngineError } from '../../engine.ts'
import { roomLeft } from './text-room.ts'

/** Uses the message of the reference API, because some clients parse it. Without a number, nobody has counted the tokens. */
export function tooLong({ maxTokens }: ChatJob, contextLength: number, tokens?: number): EngineError {
  const answer = maxTokens === undefined ? '' : ` (and ${maxTokens} for the completion)`
  const length = tokens === undefined ? 'are longer' : `resulted in ${tokens} tokens${answer}`
  return new EngineError(
    'context_length_exceeded',
    `This model's maximum context length is ${contextLength} tokens. However, your messages ${length}. Please reduce the length of the messages.`,
    { param: 'messages' },
  )
}

/**
 * Whether the messages can't fit, whatever the template does with them, in less time than it takes to read them. Earlier replies don't count,
 * because templates leave their thinking out. A template that leaves out something else makes no room with it. Streams go on meanwhile.
 */
export async function cannotFit({ messages }: ChatJob, characters: number): Promise<boolean> {
  const asked = messages.filter(({ role }) => role !== 'assistant').map(({ content }) => content)
  for (const left of roomLeft(asked, characters)) {
    if (left < 0) return true
    await nextTurn()
  }
  return false
}
