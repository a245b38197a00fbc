// POST /chat/completions: find the model, hand the job to the fleet. The reply writes itself as events arrive.

import {
  type Hold,
  randomHex,
  type Heartbeats,
  noRoom,
  type Outlet,
  type PreparedChat,
  type ReplyShape,
  StreamReply,
  WholeReply,
  type SerializedJob,
} from '@hearth/chat'
import type { AccessBook, Caller } from '../access/book/access-book.ts'
import type { RateLimiter } from '../access/limits/rate-limit.ts'
import type { MemoryBudgets } from '../budget/memory-budgets.ts'
import type { Fleet, Ticket } from '../fleet/fleet.ts'
import { admitJob } from './admit.ts'
import { endWithClient } from './end-with-client.ts'
import { findModel } from './find-model.ts'

export interface ChatContext {
  book: AccessBook
  limiter: RateLimiter
  fleet: Fleet
  heartbeats: Heartbeats
  budgets: MemoryBudgets
  stallMs: number
}

/**
 * Throws an ApiError if the request cannot be accepted. Everything later goes to the outlet. `hold` counts the memory of the request; it is
 * released as soon as the job's text is no longer needed, and the caller releases it when the reply is over, if nobody has before.
 */
export function createChatCompletion(
  chat: PreparedChat,
  caller: Caller,
  outlet: Outlet,
  hold: Hold,
  context: ChatContext,
): void {
  if (chat.ignored.length > 0) outlet.header('x-service-ignored-params', chat.ignored.join(','))
  findModel(chat.shape.model, caller, context.book)
  const full = hold.resize(chat.textBytes)
  if (full) throw noRoom(full)
  const ticket = toTicket(outlet.requestId, chat, caller)
  admitJob(caller, ticket, outlet, context.limiter)
  const job = { text: chat.text, choices: chat.shape.choices }
  if (chat.stream) startStream(chat.shape, job, ticket, outlet, hold, context)
  else startWhole(chat.shape, job, ticket, outlet, hold, context)
}

function startStream(
  shape: ReplyShape,
  job: SerializedJob,
  ticket: Ticket,
  outlet: Outlet,
  hold: Hold,
  { fleet, heartbeats, stallMs }: ChatContext,
): void {
  const reply = new StreamReply({
    id: newId(),
    created: nowSeconds(),
    shape,
    outlet,
    heartbeats,
    stallMs,
    releaseRequest: () => hold.release(),
  })
  submit(ticket, job, reply, outlet, fleet)
}

function startWhole(
  shape: ReplyShape,
  job: SerializedJob,
  ticket: Ticket,
  outlet: Outlet,
  hold: Hold,
  { fleet, budgets }: ChatContext,
): void {
  const reply = new WholeReply({
    id: newId(),
    created: nowSeconds(),
    shape,
    outlet,
    hold: budgets.replies.open(ticket),
    releaseRequest: () => hold.release(),
  })
  submit(ticket, job, reply, outlet, fleet)
}

function submit(
  ticket: Ticket,
  job: SerializedJob,
  reply: StreamReply | WholeReply,
  outlet: Outlet,
  fleet: Fleet,
): void {
  endWithClient(fleet.submit(ticket, job, reply), reply, outlet)
}

function newId(): string {
  return `chatcmpl-${randomHex(12)}`
}

function nowSeconds(): number {
  return Math.floor(Date.now() / 1000)
}

// Everything the scheduler needs to know about a request: sizes and hashes, never its text.
const NO_FEATURES: Ticket['features'] = []

function toTicket(id: string, { shape, stream, size }: PreparedChat, { organization, key }: Caller): Ticket {
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
