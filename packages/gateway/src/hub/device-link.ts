// One connected device: greeting → serving → draining → closed. Turns messages into frames and jobs into messages; decides nothing about
// jobs, which is the scheduler's part.

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
import type { DeviceSocket } from './device-socket.ts'

export interface DeviceIdentity {
  id: string
  organization: string
  name: string
}

export type LinkState =
  | { name: 'greeting'; since: number }
  | { name: 'serving'; hello: Hello }
  | { name: 'draining'; hello: Hello }
  | { name: 'closed' }

/** Frames that speak of a job, after the greeting. */
export type JobFrame = Extract<DeviceFrame, JobAttempt>

export interface LinkOwner {
  /** `protocol` is the highest version both ends speak. */
  greeted(link: DeviceLink, hello: Hello, protocol: number): void
  frame(link: DeviceLink, frame: Exclude<DeviceFrame, Hello | { type: 'pong' }>): void
  closed(link: DeviceLink, wasGreeted: boolean): void
}

export interface PingIntervals {
  busyMs: number
  idleMs: number
}

/** Above this much unsent data no further job is offered to the device. */
const MAX_BUFFERED_BYTES = 4 * 1024 * 1024

export class DeviceLink {
  readonly identity: DeviceIdentity
  /** Grows with every link of this gateway: the newest link of a device is the one with the highest epoch. */
  readonly epoch: number
  readonly #socket: DeviceSocket
  readonly #owner: LinkOwner
  readonly #openJobs = new Set<string>()
  /** What the device is fetching, as it said last. */
  downloads: readonly Download[] = []
  #state: LinkState
  #heardAt: number
  #pingedAt: number

  constructor(identity: DeviceIdentity, epoch: number, socket: DeviceSocket, owner: LinkOwner, now: number) {
    this.identity = identity
    this.epoch = epoch
    this.#socket = socket
    this.#owner = owner
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

  /** The other end is gone, or `close` has finished. Safe to call twice. */
  ended(): void {
    if (this.#state.name === 'closed') return
    const wasGreeted = this.#state.name !== 'greeting'
    this.#state = { name: 'closed' }
    this.#owner.closed(this, wasGreeted)
  }

  close(code: number, reason: string): void {
    if (this.#state.name === 'closed') return
    this.#socket.close(code, reason.slice(0, 120))
    this.ended()
  }

  send(frame: GatewayFrame): void {
    if (this.#state.name !== 'closed') this.#socket.send(encodeFrame(frame))
  }

  /** `request` is the job as JSON text, serialized once however often the job is tried. */
  startJob({ job, attempt }: JobAttempt, request: string): void {
    this.#openJobs.add(`${job} ${attempt}`)
    const head = { type: 'job-start', job, attempt, organization: this.identity.organization } as const
    if (request.length <= JOB_PART_BYTES) return this.#socket.send(encodeJobStart(head, { request }))
    const parts = Math.ceil(request.length / JOB_PART_BYTES)
    this.#socket.send(encodeJobStart(head, { parts }))
    this.#sendPart({ job, attempt }, request, 0)
  }

  /** Pings when it is time; closes when the device has been silent for too long. */
  check(now: number, intervals: PingIntervals, greetingMs: number): void {
    if (this.#state.name === 'greeting') {
      if (now - this.#state.since > greetingMs) this.close(CLOSE.greetingTimeout, 'no hello in time')
      return
    }
    const intervalMs = this.#openJobs.size > 0 ? intervals.busyMs : intervals.idleMs
    // The device could not answer pings that were never sent: silence counts from the later of the two.
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
    this.#owner.frame(this, frame)
  }

  #greet(frame: DeviceFrame): void {
    if (frame.type !== 'hello') throw new ProtocolError('hello comes first')
    const common = PROTOCOL_VERSIONS.filter((version) => frame.protocols.includes(version))
    if (common.length === 0)
      return this.close(
        CLOSE.noCommonVersion,
        `this gateway speaks protocol ${PROTOCOL_VERSIONS.join(', ')}: update the device app`,
      )
    this.#state = { name: 'serving', hello: frame }
    this.#owner.greeted(this, frame, Math.max(...common))
  }

  // One part at a time, each after the last has left: pings and other jobs slip in between.
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
