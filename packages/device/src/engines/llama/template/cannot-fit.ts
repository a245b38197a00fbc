import type { ChatJob } from '@hearth/protocol'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { roomLeft } from './text-room.ts'

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
