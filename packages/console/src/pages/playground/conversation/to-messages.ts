// The messages that the turns of a conversation become.

import { isEmpty } from '../request/answer.ts'
import type { Message } from '../request/body.ts'
import type { AssistantTurn, Attachment, Turn, UserTurn } from './turn.ts'

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

/** A failed response is not part of the conversation. A stopped one is, with the text it has. */
function messagesOfAssistant({ state, answer, chosen }: AssistantTurn): Message[] {
  const choice = answer.choices[chosen]
  if (!choice || state === 'failed' || isEmpty(answer)) return []
  const { text, calls } = choice
  return [{ role: 'assistant', content: text, ...(calls.length > 0 && { tool_calls: calls }) }]
}
