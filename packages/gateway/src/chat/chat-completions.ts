// Creates a chat completion: find the model, hand the job to the fleet. The reply writes itself as events arrive. A sealed request takes the
// same way, for a job that the gateway cannot read.

import {
  type Reservation,
  randomHex,
  type Heartbeats,
  type JobHandle,
  noRoom,
  type Outlet,
  StreamReply,
  WholeReply,
} from '@hearth/chat'
import type { AccessBook, Caller } from '../access/book/access-book.ts'
import type { RateLimiter } from '../access/limits/rate-limit.ts'
import type { Spending } from '../access/limits/spending.ts'
import type { MemoryBudgets } from '../budget/memory-budgets.ts'
import type { Fleet, Ticket } from '../fleet/fleet.ts'
import { admitBudgets, admitJob } from './admit.ts'
import { findModel } from './find-model.ts'
import type { Prepared } from './large-requests.ts'
import { SealedStream } from './sealed-stream.ts'
import { modelOf, toTicket } from './to-ticket.ts'

export interface ChatContext {
  book: AccessBook
  limiter: RateLimiter
  spending: Spending
  fleet: Fleet
  heartbeats: Heartbeats
  budgets: MemoryBudgets
  stallMs: number
  /** Says what a device hears of the trace that the job belongs to. */
  traceJob?: ((ticket: Ticket) => Ticket['client']) | undefined
}

type Reply = StreamReply | WholeReply | SealedStream

/**
 * Throws an ApiError if the request cannot be accepted. Everything later goes to the outlet. `reservation` counts the memory of the request; it is
 * released as soon as the job's text is no longer needed, and the caller releases it when the reply is over, if nobody has before.
 */
export function createCompletion(
  chat: Prepared,
  caller: Caller,
  outlet: Outlet,
  reservation: Reservation,
  context: ChatContext,
): void {
  if ('ignored' in chat && chat.ignored.length > 0) outlet.header('x-service-ignored-params', chat.ignored.join(','))
  findModel(modelOf(chat), caller, context.book)
  const full = reservation.resize(chat.textBytes)
  if (full) throw noRoom(full)
  const ticket = toTicket(outlet, chat, caller)
  if (caller.budgets) admitBudgets(caller, outlet, context.spending)
  admitJob(caller, ticket, outlet, context.limiter)
  if (context.traceJob) ticket.client = context.traceJob(ticket)
  const [handle, reply] = submit(chat, ticket, outlet, reservation, context)
  reply.attach(handle)
  // The job ends when its client leaves.
  outlet.onGone(() => {
    reply.abandon()
    handle.cancel('client-gone')
  })
}

function submit(
  chat: Prepared,
  ticket: Ticket,
  outlet: Outlet,
  request: Reservation,
  { fleet, budgets, heartbeats, stallMs }: ChatContext,
): [JobHandle, Reply] {
  const { text, stream } = chat
  const releaseRequest = () => request.release()
  if ('sealedFor' in chat) {
    const reservation = budgets.replies.open(ticket)
    const reply = new SealedStream({ outlet, heartbeats, stallMs, reservation, releaseRequest, isStream: stream })
    const { choices, sealedFor } = chat
    return [fleet.submitSealed({ ...ticket, sealedFor }, { text, choices }, reply), reply]
  }
  const { shape } = chat
  const id = `chatcmpl-${randomHex(12)}`
  const created = Math.floor(Date.now() / 1000)
  const reply = stream
    ? new StreamReply({ id, created, shape, outlet, releaseRequest, heartbeats, stallMs })
    : new WholeReply({ id, created, shape, outlet, releaseRequest, reservation: budgets.replies.open(ticket) })
  return [fleet.submit(ticket, { text, choices: shape.choices }, reply), reply]
}
