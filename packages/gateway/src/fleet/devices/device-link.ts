// One device connected to this process: greeting → serving → draining → closed. Turns messages into frames and jobs into messages. Decisions
// about jobs are made elsewhere.

import {
  CLOSE,
  MISSED_PINGS,
  PROTOCOL_VERSIONS,
  ProtocolError,
  encodeFrame,
  parseDeviceFrames,
  type DeviceFrame,
  type DeviceModel,
  type GatewayFrame,
  type Hello,
} from '@hearth/protocol'
import type { Full } from '@hearth/chat'
import type { DeviceBudgets } from '../../budget/memory-budgets.ts'
import type { Clock } from '../../time/clock.ts'
import { isJobFrame, isLastFrame, type JobFrame } from '../terms/job-frame.ts'
import { closeReasonOf, DeviceMemory, isNews, noticeOf, type ReportFrame } from './device-memory.ts'
import { printableAddress, printableHello, printableModels, printableReply } from './printable-report.ts'
import { DefaultsSender, type DefaultsSource } from './defaults-sender.ts'
import { OpenAttempts, type OpenAttempt } from './open-attempts.ts'
import { PartSender } from './part-sender.ts'
import type { DeviceIdentity, DeviceSocket, LinkState, PingIntervals } from './link.ts'
import { ModelRequests } from './model-requests.ts'
import { createPacer, type Pacer } from './pacer.ts'
import { PingClock } from './ping-clock.ts'
import type { Conflict, DeviceReport } from '../terms/fleet-view.ts'
import type { ModelAnswer, ModelRequest } from '../terms/messages.ts'

/** With more unsent data than this, the device gets no further job. */
export const MAX_BUFFERED_BYTES = 4 * 1024 * 1024
/** An announcement may concern a thousand waiting jobs, so announcements of a device are taken at most this often. */
export const ANNOUNCE_MS = 250

export interface LinkListener {
  /** `protocol` is the highest version that both ends speak. */
  greeted(link: DeviceLink, hello: Hello, protocol: number): void
  /** At most a few times per second, however often the device announces. */
  modelsChanged(link: DeviceLink, models: readonly DeviceModel[]): void
  /** The device reported its downloads, its back end or the models on its disk. */
  reportChanged(link: DeviceLink): void
  sharedChanged(link: DeviceLink): void
  draining(link: DeviceLink): void
  /** There is no room for what the device says about itself. At most once per link. */
  full(link: DeviceLink, full: Full): void
  closed(link: DeviceLink, wasGreeted: boolean): void
}

/** What passes the frames of jobs on. */
export interface JobFrames {
  jobFrame(link: DeviceLink, frame: JobFrame, attempt: OpenAttempt): void
}

interface LinkWorld {
  listener: LinkListener
  hub: JobFrames
  clock: Clock
  /** For what devices say about themselves. */
  budgets: DeviceBudgets
}

/** How a socket reaches the registry. */
export type DeviceConnection = Pick<DeviceLink, 'isGreeting' | 'receive' | 'arriving' | 'ended' | 'close'>

export class DeviceLink {
  readonly identity: DeviceIdentity
  /** Grows with every link: of two links of a device, the one with the higher epoch is the newer one. */
  readonly epoch: number
  /** Grows when the hub reports anew which slots are taken. Leases that are based on an earlier one are void. */
  edition = 1
  readonly #socket: DeviceSocket
  readonly #world: LinkWorld
  readonly #parts: PartSender
  /** The attempts that the device was sent and has not ended. */
  readonly open = new OpenAttempts()
  /** Most devices never announce anything after their hello, and an idle link should take little memory. */
  #modelsPacer: Pacer | undefined
  #reportPacer: Pacer | undefined
  readonly #memory: DeviceMemory
  #isTold = false
  /** Another machine that tries to use the device's credential, if there is one. */
  conflict: Conflict | undefined
  readonly #pingClock = new PingClock()
  #defaults: DefaultsSender | undefined
  /** Most devices are never asked anything. */
  #modelRequests: ModelRequests | undefined
  #state: LinkState
  #heardAt: number
  /** The first check pings, so that the latency is known soon. */
  #pingedAt = Number.NEGATIVE_INFINITY

  constructor(identity: DeviceIdentity, epoch: number, socket: DeviceSocket, world: LinkWorld) {
    this.identity = identity
    this.epoch = epoch
    this.#socket = socket
    this.#parts = new PartSender(socket)
    this.#world = world
    this.#memory = new DeviceMemory(world.budgets, identity)
    this.#heardAt = world.clock.now()
    this.#state = { name: 'greeting', since: this.#heardAt }
  }

  get state(): LinkState {
    return this.#state
  }

  /** Empty before the hello. */
  get boot(): string {
    return 'hello' in this.#state ? this.#state.hello.boot : ''
  }

  get models(): readonly DeviceModel[] {
    return 'hello' in this.#state ? this.#state.hello.models : []
  }

  /** Where it connects from. */
  get address(): string {
    return printableAddress(this.#socket.address)
  }

  get report(): DeviceReport {
    return this.#memory.report
  }

  /** The memory that its greeting and its report take. */
  get reportedBytes(): number {
    return this.#memory.reportedBytes
  }

  /** How long a message takes to the device and back. Undefined until it is measured. */
  get latencyMs(): number | undefined {
    return this.#pingClock.latencyMs
  }

  /** The device has not said hello yet. */
  get isGreeting(): boolean {
    return this.#state.name === 'greeting'
  }

  /** Too much unsent data is piling up: offer no further jobs for now. */
  get isOverloaded(): boolean {
    return this.#socket.bufferedBytes > MAX_BUFFERED_BYTES
  }

  receive(message: string, now: number): void {
    if (this.#state.name === 'closed') return
    this.#heardAt = now
    try {
      parseDeviceFrames(message, (frame) => this.take(frame, now))
    } catch (error) {
      if (!(error instanceof ProtocolError)) throw error
      this.close(CLOSE.malformedFrame, `malformed frame: ${error.message}`)
    }
  }

  /** The device is gone, or `close` has finished. Safe to call twice. */
  ended(): void {
    if (this.#state.name === 'closed') return
    const wasGreeted = this.#state.name !== 'greeting'
    this.#state = { name: 'closed' }
    this.#modelsPacer?.stop()
    this.#reportPacer?.stop()
    this.#parts.stopAll()
    this.#modelRequests?.linkGone()
    this.#world.listener.closed(this, wasGreeted)
    this.#memory.close()
  }

  close(code: number, reason: string): void {
    if (this.#state.name === 'closed') return
    this.#socket.close(code, reason.slice(0, 120))
    this.ended()
  }

  send(frame: GatewayFrame): void {
    if (frame.type === 'job-cancel') this.#parts.stop(frame)
    if (this.#state.name !== 'closed') this.#socket.send(encodeFrame(frame))
  }

  /** `request` is the job as JSON text, serialized once no matter how many attempts the job takes. */
  startJob(open: OpenAttempt, request: string): void {
    const { job, attempt, client } = open
    this.open.add(open)
    this.#parts.start({ type: 'job-start', job, attempt, organization: this.identity.organization, client }, request)
  }

  async sendModelRequest(ask: ModelRequest): Promise<ModelAnswer> {
    if (this.report.library === undefined) return { kind: 'unsupported' }
    this.#modelRequests ??= new ModelRequests()
    return this.#modelRequests.ask((request) => this.send({ ...ask, request }))
  }

  /** Before the device gets its first job, and when some have changed. */
  tellDefaults(source: DefaultsSource): void {
    this.#defaults ??= new DefaultsSender(source, this.identity.organization, (frame) => this.send(frame))
    this.#defaults.tell(this.models)
  }

  /** Pings when it's time; closes when the device has been silent for too long. */
  check(now: number, intervals: PingIntervals, greetingMs: number): void {
    if (this.#state.name === 'greeting') {
      if (now - this.#state.since > greetingMs) this.close(CLOSE.greetingTimeout, 'no hello in time')
      return
    }
    const intervalMs = this.open.isEmpty ? intervals.idleMs : intervals.busyMs
    // Only silence after a ping counts: the device can't answer a ping that was never sent.
    if (now - this.#heardAt > intervalMs * MISSED_PINGS && this.#pingedAt > this.#heardAt)
      return this.close(CLOSE.silent, 'no sign of life for three ping intervals')
    if (now - this.#pingedAt < intervalMs) return
    this.#pingedAt = now
    this.#pingClock.ping(now)
    this.send({ type: 'ping' })
  }

  /** One that is well-formed. */
  take(frame: DeviceFrame, now: number): void {
    this.#heardAt = now
    switch (this.#state.name) {
      case 'greeting':
        return this.#greet(frame)
      case 'serving':
      case 'draining':
        return this.#serve(frame, this.#state)
      case 'closed':
        return
      default:
        this.#state satisfies never
    }
  }

  #serve(frame: DeviceFrame, state: Extract<LinkState, { hello: Hello }>): void {
    if (isJobFrame(frame)) return this.#takeJobFrame(frame)
    switch (frame.type) {
      case 'hello':
        throw new ProtocolError('hello comes once')
      case 'pong':
        // The first measurement is news; later ones wait until someone looks.
        if (this.#pingClock.pong(this.#heardAt)) this.#askToReport()
        return
      case 'models':
        return this.#noteModels({ ...state.hello, models: printableModels(frame.models) }, state)
      case 'downloads':
      case 'backend':
      case 'rest':
      case 'energy':
      case 'library':
      case 'shared':
        return this.#note(frame)
      case 'model-reply':
        return this.#modelRequests?.replied(printableReply(frame))
      case 'drain':
        return this.#drain(state)
      default:
        frame satisfies never
    }
  }

  #noteModels(hello: Hello, state: Extract<LinkState, { hello: Hello }>): void {
    const full = this.#memory.keepHello(hello)
    if (full !== undefined) return this.#tellFull(full)
    state.hello = hello
    this.#modelsPacer ??= createPacer(this.#world.clock, ANNOUNCE_MS, () => this.#announceModels())
    this.#modelsPacer.ask()
  }

  #note(frame: ReportFrame): void {
    const before = this.report
    const full = this.#memory.keepReport(frame)
    if (full !== undefined) return this.#tellFull(full)
    if (frame.type === 'shared') return this.#world.listener.sharedChanged(this)
    if (isNews(before, this.report)) this.#askToReport()
  }

  #tellFull(full: Full): void {
    if (this.#isTold) return
    this.#isTold = true
    this.send({ type: 'notice', text: noticeOf(full) })
    this.#world.listener.full(this, full)
  }

  /** This many bytes of a message have arrived, and the rest has not. False if there is no room: the link is closed. */
  arriving(bytes: number): boolean {
    this.#closeIfFull(this.#memory.keepArriving(bytes))
    return this.#state.name !== 'closed'
  }

  #closeIfFull(full: Full | undefined): void {
    if (full === undefined) return
    this.#world.listener.full(this, full)
    this.close(CLOSE.overloaded, closeReasonOf(full))
  }

  #drain({ name, hello }: Extract<LinkState, { hello: Hello }>): void {
    if (name === 'draining') return
    this.#state = { name: 'draining', hello }
    this.#world.listener.draining(this)
  }

  #askToReport(): void {
    this.#reportPacer ??= createPacer(this.#world.clock, ANNOUNCE_MS, () => this.#world.listener.reportChanged(this))
    this.#reportPacer.ask()
  }

  #announceModels(): void {
    this.#defaults?.tell(this.models)
    this.#world.listener.modelsChanged(this, this.models)
  }

  #greet(frame: DeviceFrame): void {
    if (frame.type !== 'hello') throw new ProtocolError('hello comes first')
    const common = PROTOCOL_VERSIONS.filter((version) => frame.protocols.includes(version))
    if (common.length === 0)
      return this.close(
        CLOSE.noCommonVersion,
        `this gateway speaks protocol ${PROTOCOL_VERSIONS.join(', ')}: update the device app`,
      )
    const hello = printableHello(frame)
    this.#closeIfFull(this.#memory.keepHello(hello))
    if (!this.isGreeting) return
    this.#state = { name: 'serving', hello }
    this.#world.listener.greeted(this, hello, Math.max(...common))
  }

  // A device that says anything about a job has all of its request, or wants none of it.
  #takeJobFrame(frame: JobFrame): void {
    this.#parts.stop(frame)
    const attempt = this.open.find(frame)
    if (attempt === undefined) return // The device never had the attempt, or has ended it before.
    if (isLastFrame(frame)) this.open.remove(attempt)
    // The same text, as an object that maps know already: finding out that two texts are equal would take longer than all the rest.
    frame.job = attempt.job
    this.#world.hub.jobFrame(this, frame, attempt)
  }
}
