// Cuts a reply after some of its events, as a lost device does, and says what a gateway would ask another device to continue.

import { ReplyRecord, type ChatEvent, type Recovery } from '@hearth/protocol'
import { toReply, type Reply } from './collect-reply.ts'

/** `sent` are the events that the client has. */
export function cutReply(events: readonly ChatEvent[], count: number, choices: number) {
  const sent = events.slice(0, count)
  const record = new ReplyRecord()
  for (const event of sent) {
    if (event.type === 'text') record.addText(event)
    if (event.type === 'tool-calls') record.addCalls(event.choice)
  }
  const begun = record.choices(choices)
  const recovery: Recovery = begun === undefined ? {} : { choices: begun }
  return { sent, recovery }
}

/** The client's view of both parts, to compare two replies by: ids of calls are random, and the rest depends on timing. */
export function seenOf({ events }: Pick<Reply, 'events'>) {
  const { texts, logprobs, calls, finishes, usage } = toReply([...events])
  return {
    texts,
    tokens: logprobs.map(({ token }) => token),
    calls: calls.map(({ name, arguments: given }) => `${name} ${given}`),
    finishes,
    usage: usage && {
      prompt: usage.promptTokens,
      completion: usage.completionTokens,
      reasoning: usage.reasoningTokens,
    },
  }
}
