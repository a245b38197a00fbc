// POST /chat/completions, the way of a request: read, find the model, hand over to the scheduler. The reply writes itself as events come.

import type { AccessBook, Caller } from '../access/access-book.ts'
import { randomHex } from '../ids.ts'
import type { Scheduler } from '../scheduler/scheduler.ts'
import { findModel } from './find-model.ts'
import type { Heartbeats } from './heartbeats.ts'
import type { Outlet } from './outlet.ts'
import { readChatRequest, type ChatRequest, type ReadLimits } from './read-chat-request.ts'
import { StreamReply } from './stream-reply.ts'
import { toTicket } from './to-ticket.ts'
import { WholeReply } from './whole-reply.ts'

export interface ChatContext {
  book: AccessBook
  scheduler: Scheduler
  heartbeats: Heartbeats
  limits: ReadLimits & { stallMs: number }
}

/** Throws ApiError for whatever is wrong with the request itself; everything later goes to the outlet. */
export function createChatCompletion(body: unknown, caller: Caller, outlet: Outlet, context: ChatContext): void {
  const chat = readChatRequest(body, context.limits)
  if (chat.ignored.length > 0) outlet.header('x-service-ignored-params', chat.ignored.join(','))
  findModel(chat.job.model, caller, context.book)
  if (chat.stream) startStream(chat, caller, outlet, context)
  else startWhole(chat, caller, outlet, context)
}

function startStream(
  chat: ChatRequest,
  caller: Caller,
  outlet: Outlet,
  { scheduler, heartbeats, limits }: ChatContext,
): void {
  const reply = new StreamReply({
    id: newId(),
    created: nowSeconds(),
    chat,
    outlet,
    heartbeats,
    stallMs: limits.stallMs,
  })
  const handle = scheduler.submit(toTicket(outlet.requestId, chat, caller), chat.job, reply)
  reply.attach(handle)
  outlet.onGone(() => {
    reply.abandon()
    handle.cancel('client-gone')
  })
}

function startWhole(chat: ChatRequest, caller: Caller, outlet: Outlet, { scheduler }: ChatContext): void {
  const reply = new WholeReply({ id: newId(), created: nowSeconds(), chat, outlet })
  const handle = scheduler.submit(toTicket(outlet.requestId, chat, caller), chat.job, reply)
  outlet.onGone(() => handle.cancel('client-gone'))
}

function newId(): string {
  return `chatcmpl-${randomHex(12)}`
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}
