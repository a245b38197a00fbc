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
  estimateTokens,
} from '@hearth/chat'
import { type ContentKey, sealJob, type SealedHeader, type SealedPrefix, type TrustedDevice } from '@hearth/sealing'
import { send } from '../gateway/send.ts'
import type { ProxyCall } from './proxy-call.ts'
import { OpenReply } from './open-reply.ts'
import { copyHeaders, idHeaders, passOnRejection, readRejection } from './pass-on.ts'
import { cannotReach, replyDoesNotFit, noDevices } from './proxy-errors.ts'
import type { SealCache, KnownSeal } from './seal-cache.ts'
import { MAX_SEAL_KEYS } from '@hearth/protocol'
import type { OnlineDevice } from '../gateway/seal-information.ts'

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
    cannotReach,
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
  const hold = budget.open(OWNER)
  outlet.onClose(() => hold.close())
  return new WholeReply({ ...options, hold })
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

// Cuts the bytes of an event stream into lines. Bounded: a line without an end must not fill our memory.
type TakeLine = (line: string) => void

const LINE_END = 0x0a

class LineReader {
  readonly #maxBytes: number
  readonly #take: TakeLine
  #rest: Buffer[] = []
  #restBytes = 0

  constructor(maxBytes: number, take: TakeLine) {
    this.#maxBytes = maxBytes
    this.#take = take
  }

  /** False if a line is too long. */
  add(chunk: Buffer): boolean {
    let start = 0
    for (let end = chunk.indexOf(LINE_END); end >= 0; end = chunk.indexOf(LINE_END, start)) {
      if (!this.#keep(chunk.subarray(start, end))) return false
      this.#finish()
      start = end + 1
    }
    return this.#keep(chunk.subarray(start))
  }

  #keep(bytes: Buffer): boolean {
    this.#restBytes += bytes.length
    if (bytes.length > 0) this.#rest.push(bytes)
    return this.#restBytes <= this.#maxBytes
  }

  #finish(): void {
    const line = (this.#rest.length === 1 ? this.#rest[0] : Buffer.concat(this.#rest))?.toString() ?? ''
    this.#rest = []
    this.#restBytes = 0
    this.#take(line)
  }
}

// Seals a prepared request for the devices that may read it.
/** The gateway gets the prompt's length in steps of so many tokens, and of prefixes in steps of so many characters. */
const TOKEN_STEP = 64
const PREFIX_STEP = 256

interface SealedChat {
  /** JSON for the gateway. */
  body: string
  contentKey: ContentKey
}

/** `affinity` is a secret of this process; without one, the gateway can't see that two requests begin the same. */
async function sealChat(
  chat: PreparedChat,
  { trusted, online }: KnownSeal,
  affinity: Uint8Array | undefined,
): Promise<SealedChat> {
  const devices = chooseDevices(trusted.devices, online)
  if (devices.length === 0) throw noDevices()
  const header = writeHeader(chat, trusted.organization, affinity)
  const { body, contentKey } = await sealJob({ header, job: chat.text, devices })
  return { body: JSON.stringify(body), contentKey }
}

function writeHeader(
  { shape, size, stream }: PreparedChat,
  organization: string,
  affinity: Uint8Array | undefined,
): SealedHeader {
  const { answerLimit, promptSize, prefixes } = size
  return {
    version: 1,
    organization,
    id: randomBytes(16).toString('base64url'),
    sealedAt: Date.now(),
    model: shape.model,
    features: [...new Set([...shape.demands.map(({ feature }) => feature), 'sealed'])],
    stream,
    choices: shape.choices,
    promptTokens: roundUp(estimateTokens(promptSize), TOKEN_STEP),
    ...(answerLimit !== undefined && { maxTokens: answerLimit / shape.choices }),
    ...(affinity && { prefixes: prefixes.map(({ hash, size }) => keyedPrefix(affinity, hash, size)) }),
  }
}

function keyedPrefix(affinity: Uint8Array, hash: number, size: number): SealedPrefix {
  const keyed = createHmac('sha256', affinity).update(`${hash}`).digest()
  return { hash: keyed.readUInt32BE(0), size: roundUp(size, PREFIX_STEP) }
}

function roundUp(value: number, step: number): number {
  return Math.ceil(value / step) * step
}

// Decides for whom a job is sealed: devices that the seal approves, with the key that it approves, and never any other.
/**
 * Devices that are online with the model come first, in the gateway's order, which has most room first. Others follow, so that a job can
 * wait for one that comes back. What the gateway says about a device decides about its place alone.
 */
function chooseDevices(trusted: readonly TrustedDevice[], online: readonly OnlineDevice[]): TrustedDevice[] {
  const byId = new Map(trusted.map((device) => [device.id, device]))
  const first = new Set(online.flatMap(({ id }) => byId.get(id) ?? []))
  const others = trusted.filter((device) => !first.has(device))
  return [...first, ...others].slice(0, MAX_SEAL_KEYS)
}
