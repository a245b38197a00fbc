// POST /sealed/v1/chat/completions: the same way as a request in the clear, for a job that the gateway cannot read.

import { noRoom, type Hold, type Outlet } from '@hearth/chat'
import type { Caller } from '../access/book/access-book.ts'
import type { SealedTicket } from '../fleet/fleet.ts'
import { admitJob } from './admit.ts'
import type { ChatContext } from './chat-completions.ts'
import { endWithClient } from './end-with-client.ts'
import { findModel } from './find-model.ts'
import type { PreparedSealed } from './prepare-sealed.ts'
import { SealedStream } from './sealed-stream.ts'

/** Throws an ApiError if the request cannot be accepted. Everything later is an event of the stream. */
export function createSealedCompletion(
  chat: PreparedSealed,
  caller: Caller,
  outlet: Outlet,
  hold: Hold,
  context: ChatContext,
): void {
  findModel(chat.model, caller, context.book)
  const full = hold.resize(chat.textBytes)
  if (full) throw noRoom(full)
  const ticket = ticketOf(outlet.requestId, chat, caller)
  admitJob(caller, ticket, outlet, context.limiter)
  start(chat, ticket, outlet, hold, context)
}

function ticketOf(job: string, chat: PreparedSealed, { organization, key }: Caller): SealedTicket {
  const { model, features, sealedFor, stream, size } = chat
  return { job, organization, key, model, features, sealedFor, rerunnable: !stream, ...size }
}

function start(
  { text, choices, stream }: PreparedSealed,
  ticket: SealedTicket,
  outlet: Outlet,
  hold: Hold,
  { fleet, budgets, heartbeats, stallMs }: ChatContext,
): void {
  const reply = new SealedStream({
    outlet,
    heartbeats,
    stallMs,
    hold: budgets.replies.open(ticket),
    releaseRequest: () => hold.release(),
    isStream: stream,
  })
  endWithClient(fleet.submitSealed(ticket, { text, choices }, reply), reply, outlet)
}
