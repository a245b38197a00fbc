// Everything the scheduler needs to know about a request: sizes and hashes, never its text.

import type { PreparedChat } from '@hearth/chat'
import type { Caller } from '../access/book/access-book.ts'
import type { Ticket } from '../fleet/fleet.ts'

const NO_FEATURES: Ticket['features'] = []

export function toTicket(id: string, { shape, stream, size }: PreparedChat, { organization, key }: Caller): Ticket {
  return {
    job: id,
    organization,
    key,
    model: shape.model,
    features: shape.demands.length === 0 ? NO_FEATURES : shape.demands.map(({ feature }) => feature),
    rerunnable: !stream,
    cost: size.cost,
    answerLimit: size.answerLimit,
    promptSize: size.promptSize,
    prefixes: size.prefixes,
  }
}
