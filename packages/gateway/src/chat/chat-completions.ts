// POST /chat/completions: read the request, find the model, hand the job to the fleet. The reply writes itself as events arrive.

import type { AccessBook, Caller } from '../access/access-book.ts'
import type { RateLimiter } from '../access/rate-limit.ts'
import type { Fleet, Ticket } from '../fleet/fleet.ts'
import { randomHex } from '../ids.ts'
import { admitJob } from './admit.ts'
import { findModel } from './find-model.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { Outlet } from './outlet.ts'
import { readChatRequest, type ChatRequest, type ReadLimits } from './read-chat-request.ts'
import { StreamReply } from './stream-reply.ts'
import { toTicket } from './to-ticket.ts'
import { WholeReply } from './whole-reply.ts'

export interface ChatContext {
  book: AccessBook
  limiter: RateLimiter
  fleet: Fleet
  heartbeats: Heartbeats
  limits: ReadLimits & { stallMs: number }
}

/** Throws an ApiError for anything wrong with the request itself. Everything later goes to the outlet. */
export function createChatCompletion(body: unknown, caller: Caller, outlet: Outlet, context: ChatContext): void {
  const chat = readChatRequest(body, context.limits)
  if (chat.ignored.length > 0) outlet.header('x-service-ignored-params', chat.ignored.join(','))
  findModel(chat.job.model, caller, context.book)
  const ticket = toTicket(outlet.requestId, chat, caller)
  admitJob(caller, ticket, outlet, context.limiter)
  if (chat.stream) startStream(chat, ticket, outlet, context)
  else startWhole(chat, ticket, outlet, context)
}

function startStream(
  chat: ChatRequest,
  ticket: Ticket,
  outlet: Outlet,
  { fleet, heartbeats, limits }: ChatContext,
): void {
  const reply = new StreamReply({
    id: newId(),
    created: nowSeconds(),
    chat,
    outlet,
    heartbeats,
    stallMs: limits.stallMs,
  })
  const handle = fleet.submit(ticket, chat.job, reply)
  reply.attach(handle)
  outlet.onGone(() => {
    reply.abandon()
    handle.cancel('client-gone')
  })
}

function startWhole(chat: ChatRequest, ticket: Ticket, outlet: Outlet, { fleet }: ChatContext): void {
  const reply = new WholeReply({ id: newId(), created: nowSeconds(), chat, outlet })
  const handle = fleet.submit(ticket, chat.job, reply)
  outlet.onGone(() => handle.cancel('client-gone'))
}

function newId(): string {
  return `chatcmpl-${randomHex(12)}`
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
