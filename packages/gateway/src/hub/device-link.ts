// One device connected to this process: greeting → serving → draining → closed. Turns messages into frames and jobs into messages. Decisions
// about jobs are the scheduler's.

import {
  CLOSE,
  JOB_PART_BYTES,
  MISSED_PINGS,
  PROTOCOL_VERSIONS,
  ProtocolError,
  encodeFrame,
  encodeJobStart,
  parseDeviceFrames,
  type DeviceFrame,
  type Download,
  type GatewayFrame,
  type Hello,
  type JobAttempt,
} from '@hearth/protocol'
import { dropUnprintable } from '../printable.ts'
import type { DeviceConnection, DeviceSocket } from './device-socket.ts'
import type { DeviceIdentity, JobFrame, Link, LinkState } from './link.ts'

/** How a link reports to the hub. */
export interface LinkListener {
  /** `protocol` is the highest version that both ends speak. */
  greeted(link: DeviceLink, hello: Hello, protocol: number): void
  frame(link: DeviceLink, frame: Exclude<DeviceFrame, Hello | { type: 'pong' }>): void
  closed(link: DeviceLink, wasGreeted: boolean): void
}

export interface PingIntervals {
  busyMs: number
  idleMs: number
}

/** With more unsent data than this, the device gets no further job. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

export class DeviceLink implements Link, DeviceConnection {
  readonly identity: DeviceIdentity
  readonly epoch: number
  readonly #socket: DeviceSocket
  readonly #listener: LinkListener
  readonly #openJobs = new Set<string>()
  downloads: readonly Download[] = []
  #state: LinkState
  #heardAt: number
  #pingedAt: number

  constructor(identity: DeviceIdentity, epoch: number, socket: DeviceSocket, listener: LinkListener, now: number) {
    this.identity = identity
    this.epoch = epoch
    this.#socket = socket
    this.#listener = listener
    this.#state = { name: 'greeting', since: now }
    this.#heardAt = now
    this.#pingedAt = now
  }

  get state(): LinkState {
    return this.#state
  }

  get isOverloaded(): boolean {
    return this.#socket.bufferedBytes > MAX_BUFFERED_BYTES
  }

  receive(message: string, now: number): void {
    this.#heardAt = now
    try {
      parseDeviceFrames(message, (frame) => this.#take(frame))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.close(CLOSE.malformedFrame, `malformed frame: ${error.message}`)
    }
  }

  ended(): void {
    if (this.#state.name === 'closed') return
    const wasGreeted = this.#state.name !== 'greeting'
    this.#state = { name: 'closed' }
    this.#listener.closed(this, wasGreeted)
  }

  close(code: number, reason: string): void {
    if (this.#state.name === 'closed') return
    this.#socket.close(code, reason.slice(0, 120))
    this.ended()
  }

  send(frame: GatewayFrame): void {
    if (this.#state.name !== 'closed') this.#socket.send(encodeFrame(frame))
  }

  startJob({ job, attempt }: JobAttempt, request: string): void {
    this.#openJobs.add(`${job} ${attempt}`)
    const head = { type: 'job-start', job, attempt, organization: this.identity.organization } as const
    if (request.length <= JOB_PART_BYTES) return this.#socket.send(encodeJobStart(head, { request }))
    const parts = Math.ceil(request.length / JOB_PART_BYTES)
    this.#socket.send(encodeJobStart(head, { parts }))
    this.#sendPart({ job, attempt }, request, 0)
  }

  /** Pings when it's time; closes when the device has been silent for too long. */
  check(now: number, intervals: PingIntervals, greetingMs: number): void {
    if (this.#state.name === 'greeting') {
      if (now - this.#state.since > greetingMs) this.close(CLOSE.greetingTimeout, 'no hello in time')
      return
    }
    const intervalMs = this.#openJobs.size > 0 ? intervals.busyMs : intervals.idleMs
    // Only silence after a ping counts: the device can't answer a ping that was never sent.
    if (now - this.#heardAt > intervalMs * MISSED_PINGS && this.#pingedAt > this.#heardAt)
      return this.close(CLOSE.silent, 'no sign of life for three ping intervals')
    if (now - this.#pingedAt >= intervalMs) this.#ping(now)
  }

  #ping(now: number): void {
    this.#pingedAt = now
    this.send({ type: 'ping' })
  }

  #take(frame: DeviceFrame): void {
    if (this.#state.name === 'closed') return
    if (this.#state.name === 'greeting') return this.#greet(frame)
    if (frame.type === 'pong') return
    if (frame.type === 'hello') throw new ProtocolError('hello comes once')
    if (frame.type === 'models') this.#state.hello = { ...this.#state.hello, models: frame.models }
    if (frame.type === 'downloads') this.downloads = frame.downloads
    if (frame.type === 'drain') this.#state = { name: 'draining', hello: this.#state.hello }
    if (endsJob(frame)) this.#openJobs.delete(`${frame.job} ${frame.attempt}`)
    this.#listener.frame(this, frame)
  }

  #greet(frame: DeviceFrame): void {
    if (frame.type !== 'hello') throw new ProtocolError('hello comes first')
    const common = PROTOCOL_VERSIONS.filter((version) => frame.protocols.includes(version))
    if (common.length === 0)
      return this.close(
        CLOSE.noCommonVersion,
        `this gateway speaks protocol ${PROTOCOL_VERSIONS.join(', ')}: update the device app`,
      )
    // People read these in the console, the log and a terminal.
    const hello = { ...frame, app: dropUnprintable(frame.app), engine: dropUnprintable(frame.engine) }
    this.#state = { name: 'serving', hello }
    this.#listener.greeted(this, hello, Math.max(...common))
  }

  // Sends one part at a time, each after the last one has left, so that pings and other jobs get their turn.
  #sendPart(attempt: JobAttempt, request: string, index: number): void {
    const start = index * JOB_PART_BYTES
    if (start >= request.length || this.#state.name === 'closed') return
    const text = request.slice(start, start + JOB_PART_BYTES)
    this.#socket.send(encodeFrame({ type: 'job-part', ...attempt, index, text }), () =>
      this.#sendPart(attempt, request, index + 1),
    )
  }
}

function endsJob(
  frame: DeviceFrame,
): frame is Extract<JobFrame, { type: 'job-end' | 'job-error' | 'job-cancelled' | 'job-refuse' }> {
  return (
    frame.type === 'job-end' ||
    frame.type === 'job-error' ||
    frame.type === 'job-cancelled' ||
    frame.type === 'job-refuse'
  )
}
