// What the scheduler needs to know about a request: sizes and hashes, never its text.

import { newRequestId, type Outlet } from '@hearth/chat'
import type { Caller } from '../access/book/access-book.ts'
import type { Ticket } from '../fleet/fleet.ts'
import type { Prepared } from './large-requests.ts'

const NO_FEATURES: Ticket['features'] = []

export function modelOf(chat: Prepared): string {
  return 'sealedFor' in chat ? chat.model : chat.shape.model
}

export function toTicket({ requestId, client }: Outlet, chat: Prepared, { organization, key }: Caller): Ticket {
  const { cost, answerLimit, promptSize, prefixes } = chat.size
  // Jobs need an id of their own: a client may send the same one twice.
  const job = client?.requestId === undefined ? requestId : newRequestId()
  const [model, features, rerunnable] = [modelOf(chat), featuresOf(chat), !chat.stream]
  return { job, client, organization, key, model, features, rerunnable, cost, answerLimit, promptSize, prefixes }
}

function featuresOf(chat: Prepared): Ticket['features'] {
  if ('sealedFor' in chat) return chat.features
  const { demands } = chat.shape
  return demands.length === 0 ? NO_FEATURES : demands.map(({ feature }) => feature)
}
