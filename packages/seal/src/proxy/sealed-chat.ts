// POST /chat/completions: read the request as the gateway would, seal it, send it, and open the reply.

import { createHmac, randomBytes } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import {
  ByteBudget,
  NodeOutlet,
  prepareChat,
  randomHex,
  readBody,
  StreamReply,
  USUAL_LIMITS,
  WholeReply,
  type Heartbeats,
  type JobHandle,
  type PreparedChat,
} from '@hearth/chat'
import type { ContentKey } from '@hearth/sealing'
import { send } from '../gateway/send.ts'
import type { ProxyCall } from './proxy-call.ts'
import { OpenReply } from './open-reply.ts'
import { copyHeaders, idHeaders, passOnRejection, readRejection } from './pass-on.ts'
import { answerUnreachable, replyDoesNotFit } from './proxy-errors.ts'
import type { SealCache } from './seal-cache.ts'
import { sealChat } from './seal-chat.ts'
import { LineReader } from './line-reader.ts'

export interface SealedChatContext {
  gateway: URL
  cache: SealCache
  heartbeats: Heartbeats
  budget: ByteBudget
  /** Names the private scope of each key on a device, where nobody else learns from what was computed before. */
  scopeSecret: Uint8Array
  /** Undefined: the gateway must not see that two requests begin the same. */
  affinity: Uint8Array | undefined
}

/** The gateway ends a complete reply within this time. */
const END_MS = 1_000
/** A box of 1 MiB as base64, and what is around it. */
const MAX_LINE_BYTES = 1_500_000
const SEALED_PATH = '/sealed/v1/chat/completions'
/** All of them are this person's. */
const OWNER = { organization: 'here', key: 'here' }

/** Nobody else has it, and it ends with this process. */
export function newSecret(): Uint8Array {
  return randomBytes(32)
}

/** Throws an ApiError or a GatewayRejection as long as nothing was sent. */
export async function answerSealed(call: ProxyCall, context: SealedChatContext): Promise<void> {
  const { request, response, apiKey, signal } = call
  const chat = await readChat(request, apiKey, context)
  // On errors that come later too.
  if (chat.ignored.length > 0) response.setHeader('x-service-ignored-params', chat.ignored.join(','))
  const known = await context.cache.find(apiKey, chat.shape.model)
  const { body, contentKey } = await sealChat(chat, known, context.affinity)
  const headers = {
    authorization: `Bearer ${apiKey}`,
    'content-type': 'application/json',
    accept: 'text/event-stream',
    ...idHeaders(request),
  }
  const answer = await send(context.gateway, { method: 'POST', path: SEALED_PATH, headers, body, signal }).catch(
    answerUnreachable,
  )
  if (answer.statusCode !== 200) return passOnRejection(response, await readRejection(answer))
  if (!answer.headers['content-type']?.startsWith('text/event-stream')) {
    answer.destroy()
    throw replyDoesNotFit()
  }
  openReply(answer, chat, contentKey, call, context)
}

/** A key that is wrong counts before a request that is. */
async function readChat(
  request: IncomingMessage,
  apiKey: string,
  { cache, scopeSecret }: SealedChatContext,
): Promise<PreparedChat> {
  try {
    const { bytes } = await readBody(request, USUAL_LIMITS.maxBodyBytes)
    const name = createHmac('sha256', scopeSecret).update(apiKey).digest('base64url')
    return prepareChat(bytes, USUAL_LIMITS, { name })
  } catch (error) {
    await cache.find(apiKey)
    throw error
  }
}

function openReply(
  answer: IncomingMessage,
  chat: PreparedChat,
  contentKey: ContentKey,
  { response }: ProxyCall,
  context: SealedChatContext,
): void {
  const outlet = openOutlet(answer, response)
  const reply = createReply(chat, outlet, context)
  const open = new OpenReply({
    contentKey,
    choices: chat.shape.choices,
    isStream: chat.stream,
    reply,
    onOver: (how) => (how === 'complete' ? leave(answer) : answer.destroy()),
  })
  reply.attach(handleOf(answer, open, reply))
  outlet.onGone(() => {
    reply.abandon()
    open.abandon()
  })
  const lines = new LineReader(MAX_LINE_BYTES, (line) => open.takeLine(line))
  answer.on('data', (chunk: Buffer) => {
    if (!lines.add(chunk)) open.reject(replyDoesNotFit())
  })
  answer.once('close', () => open.finish())
  // The connection broke: 'close' follows.
  answer.on('error', () => {})
}

/** The connection is for the next request, unless the gateway holds on to this one. */
function leave(answer: IncomingMessage): void {
  const timer = setTimeout(() => answer.destroy(), END_MS)
  answer.once('close', () => clearTimeout(timer))
}

/** The client gets the gateway's headers. */
function openOutlet(answer: IncomingMessage, response: ServerResponse): NodeOutlet {
  const { 'x-request-id': id, ...headers } = copyHeaders(answer)
  const outlet = new NodeOutlet(response, id === undefined ? undefined : { requestId: id }, false)
  for (const [name, value] of Object.entries(headers)) outlet.header(name, value)
  return outlet
}

function createReply(
  { shape, stream }: PreparedChat,
  outlet: NodeOutlet,
  { heartbeats, budget }: SealedChatContext,
): StreamReply | WholeReply {
  const options = {
    id: `chatcmpl-${randomHex(12)}`,
    created: Math.floor(Date.now() / 1000),
    shape,
    outlet,
    // The request is kept nowhere.
    releaseRequest: () => {},
  }
  if (stream) return new StreamReply({ ...options, heartbeats, stallMs: USUAL_LIMITS.stallMs })
  const reservation = budget.open(OWNER)
  outlet.onClose(() => reservation.close())
  return new WholeReply({ ...options, reservation })
}

/** A client that reads slowly slows down the gateway, through the connection to it. */
function handleOf(answer: IncomingMessage, open: OpenReply, reply: StreamReply | WholeReply): JobHandle {
  return {
    cancel: () => open.abandon(),
    giveUp: (full) => {
      open.abandon()
      reply.fail({ kind: 'out-of-memory', full })
    },
    pause: () => void answer.pause(),
    resume: () => void answer.resume(),
  }
}
