// Builds the search query from the conversation, without a model: the user's last message. A short follow-up ("and in Bergen?") means little
// alone, so the question before it is added; from a long message only the question is taken.

import type { JobMessage } from '@hearth/protocol'
import { oneLine } from './clean-text.ts'

/** The limits of the providers. */
const MAX_LENGTH = 400
const MAX_WORDS = 50
const SHORT_WORDS = 6

/** Undefined if there is nothing to search for. */
export function searchText(messages: readonly JobMessage[]): string | undefined {
  const said = messages.filter(({ role }) => role === 'user').map(({ content }) => content.trim())
  const last = said.at(-1)
  if (last === undefined || last === '') return undefined
  const before = said.at(-2)
  const isFollowUp = before !== undefined && words(last).length <= SHORT_WORDS
  const text = isFollowUp ? `${questionIn(before)} ${last}` : questionIn(last)
  return words(oneLine(text, MAX_LENGTH).replace(/…$/, '')).slice(0, MAX_WORDS).join(' ')
}

function questionIn(text: string): string {
  if (text.length <= MAX_LENGTH) return text
  const questions = text.split(/\n|(?<=[.!?])\s/).filter((line) => line.trim().endsWith('?'))
  return questions.at(-1) ?? text
}

function words(text: string): string[] {
  return text.split(/\s+/).filter((word) => word !== '')
}
