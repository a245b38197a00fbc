// Devices that compute nothing, over the real link. They accept every job and answer it with a hundred tokens at once. FRAMES says how:
// joined: all text that is ready in one delta, as the device app does; separate: one message per token, each in its own turn of the event
// loop, the most expensive way; together: one delta per token, all in one message; held: one token, and then nothing more; paced: without
// an end, a token for every job of a device in each step, all in one message, as an engine that runs a batch does. With REPORTS, a whole
// answer comes with the ids of its tokens, as the gateway then asks for them. With SERVING, only so many devices have the model. With
// SEAL_KEY, paced answers are boxes that nobody opens: their size is the one of a token, and the gateway can't tell.

import { randomBytes } from 'node:crypto'
import {
  isSealed,
  joinFrames,
  parseGatewayFrames,
  type DeviceFrame,
  type Feature,
  type JobAttempt,
  type JobStart,
} from '@hearth/protocol'
import { WebSocket } from 'ws'
import { MODEL, STEPS_PER_SECOND, TOKENS } from './tokens.ts'

const { LINK = '', FRAMES = 'joined', REPORTS = '', SERVING = '', SEAL_KEY = '' } = process.env
const SEAL = SEAL_KEY === '' ? undefined : (JSON.parse(SEAL_KEY) as { publicKey: string })
const FEATURES: Feature[] = [
  'usage',
  ...(REPORTS === '' ? [] : ['resume' as const]),
  ...(SEAL ? ['sealed' as const] : []),
]
/** 64 bytes with padding, and a tag of 16. */
const BOXES = TOKENS.map(() => randomBytes(80).toString('base64'))
/** As large as those of today's vocabularies. */
const FIRST_ID = 100_000
const JOINED = TOKENS.join('')
/** Links that are being opened at the same time. */
const DIALING = 64

let tokensSent = 0
/** Paced answers make no step. */
let isResting = false

process.on('message', (order: string[] | 'count' | 'rest' | 'work') => {
  if (order === 'count') process.send?.({ tokens: tokensSent })
  else if (order === 'rest' || order === 'work') isResting = order === 'rest'
  else void connectAll(order).then(() => process.send?.({ greeted: order.length }))
})
process.on('disconnect', () => process.exit(0))

async function connectAll(credentials: readonly string[]): Promise<void> {
  const serving = SERVING === '' ? credentials.length : Number(SERVING)
  const waiting = credentials.entries()
  const dial = async () => {
    for (const [index, credential] of waiting) await connect(credential, index < serving ? MODEL : `${MODEL}-unused`)
  }
  await Promise.all(Array.from({ length: DIALING }, dial))
}

function connect(credential: string, model: string): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  const socket = new WebSocket(LINK, { headers: { authorization: `Bearer ${credential}` }, perMessageDeflate: false })
  const answer = answerIn(FRAMES, socket)
  const hello: DeviceFrame = {
    type: 'hello',
    protocols: [1],
    app: 'bench',
    boot: 'bench',
    engine: 'bench',
    ...(SEAL && { sealKey: SEAL.publicKey }),
    models: [{ name: model, contextLength: 8192, slots: 64, features: FEATURES, digest: 'sha256:bench' }],
  }
  socket.on('error', reject)
  // Nothing changes if it was greeted before.
  socket.on('close', (code, reason) => reject(new Error(`The gateway closed a link: ${code} ${reason.toString()}`)))
  socket.on('open', () => socket.send(JSON.stringify(hello)))
  socket.on('message', (data: Buffer) => {
    const message = data.toString('utf8')
    if (REPORTS === '' && message.startsWith(JOB_START)) return answer.start(readStart(message))
    parseGatewayFrames(message, (frame) => {
      if (frame.type === 'welcome') resolve()
      if (frame.type === 'ping') socket.send('{"type":"pong"}')
      if (frame.type === 'job-start') answer.start(frame)
      if (frame.type === 'job-cancel') answer.stop(frame)
    })
  })
  return promise
}

const JOB_START = '{"type":"job-start"'
const START = /"job":"([^"]+)","attempt":(\d+)/

/** Of a lone job, nothing else is read: what the device takes for it would look like time that the gateway takes. */
function readStart(message: string): JobAttempt {
  const [, job = '', attempt] = START.exec(message) ?? []
  return { job, attempt: Number(attempt) }
}

type Start = JobAttempt & Partial<Pick<JobStart, 'request'>>

interface Answer {
  start(start: Start): void
  stop(attempt: JobAttempt): void
}

function answerIn(frames: string, socket: WebSocket): Answer {
  if (frames === 'paced') return new PacedAnswers(socket)
  const stop = ({ job, attempt }: JobAttempt) => socket.send(JSON.stringify({ type: 'job-cancelled', job, attempt }))
  const send = frames === 'separate' ? sendApart : sendTogether
  return { start: (start) => send(wholeAnswer(start, frames), socket), stop }
}

function wholeAnswer({ job, attempt, request }: Start, kind: string): string[] {
  const at = { job, attempt }
  const recovery = request === undefined || isSealed(request) ? undefined : request.recovery
  const tokens = kind === 'held' ? TOKENS.slice(0, 1) : kind === 'joined' ? [JOINED] : TOKENS
  tokensSent += tokens.length
  const deltas = tokens.map((text, sequence): DeviceFrame => {
    const ids = REPORTS === '' ? {} : { ids: idsOf(kind === 'joined' ? TOKENS.length : 1, sequence, recovery?.bareId) }
    return { type: 'job-delta', ...at, sequence, choice: 0, text, ...ids }
  })
  const usage = { promptTokens: 120, completionTokens: TOKENS.length }
  const frames: DeviceFrame[] = [{ type: 'job-accept', ...at }, ...deltas]
  if (kind !== 'held') frames.push({ type: 'job-end', ...at, sequence: tokens.length, finishes: ['stop'], usage })
  return frames.map((frame) => JSON.stringify(frame))
}

function idsOf(count: number, first: number, bareId = false): number | number[] {
  if (bareId && count === 1) return FIRST_ID + first
  return Array.from({ length: count }, (_, index) => FIRST_ID + first + index)
}

function sendTogether(encoded: readonly string[], socket: WebSocket): void {
  socket.send(joinFrames(encoded))
}

function sendApart([first, ...rest]: readonly string[], socket: WebSocket): void {
  if (first === undefined) return
  socket.send(first)
  setImmediate(sendApart, rest, socket)
}

/** One engine that advances all its jobs in the same step. */
class PacedAnswers implements Answer {
  readonly #socket: WebSocket
  readonly #jobs = new Map<string, { attempt: number; sequence: number }>()
  #steps: NodeJS.Timeout | undefined

  constructor(socket: WebSocket) {
    this.#socket = socket
  }

  start({ job, attempt }: JobAttempt): void {
    this.#jobs.set(job, { attempt, sequence: 0 })
    this.#steps ??= setInterval(() => this.#step(), 1_000 / STEPS_PER_SECOND)
    this.#socket.send(JSON.stringify({ type: 'job-accept', job, attempt }))
  }

  stop({ job, attempt }: JobAttempt): void {
    this.#jobs.delete(job)
    this.#socket.send(JSON.stringify({ type: 'job-cancelled', job, attempt }))
  }

  #rest(): void {
    clearInterval(this.#steps)
    this.#steps = undefined
  }

  #step(): void {
    if (this.#jobs.size === 0) return this.#rest()
    if (isResting) return
    tokensSent += this.#jobs.size
    const frames = [...this.#jobs].map(([job, progress]) => {
      const at = { job, attempt: progress.attempt, sequence: progress.sequence++ }
      const index = at.sequence % TOKENS.length
      if (SEAL) return JSON.stringify({ type: 'job-sealed', ...at, box: BOXES[index] })
      return JSON.stringify({ type: 'job-delta', ...at, choice: 0, text: TOKENS[index] })
    })
    this.#socket.send(joinFrames(frames))
  }
}
