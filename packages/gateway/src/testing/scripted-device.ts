// A device for tests: it uses the real protocol over a real socket and follows a plan, so that a test decides what the device does and
// when. It runs no model and is never used outside of tests and benchmarks.

import {
  encodeFrame,
  isModelRequest,
  joinFrames,
  parseGatewayFrames,
  PROTOCOL_VERSIONS,
  type ChatJob,
  type DeviceFrame,
  type DeviceModel,
  type GatewayFrame,
  type JobAttempt,
  type JobStart,
  type ModelDefaults,
  type ModelReply,
  type ModelRequestFrame,
} from '@hearth/protocol'
import type { AgreementKey } from '@hearth/sealing'
import type { FrameSealer } from '@hearth/sealing/testing/sealing-device'
import { WebSocket } from 'ws'
import { JobArrivals, nameOf } from './job-arrivals.ts'
import type { Plan } from './job-plan.ts'
import { ScriptedJob, type JobWire } from './scripted-job.ts'
import { sealingWire } from './sealed-wire.ts'
import { Watchers } from './watchers.ts'

export interface ScriptedDeviceOptions {
  /** Where the gateway listens, e.g. http://127.0.0.1:8080 */
  gateway: string
  credential: string
  models: readonly (string | (Partial<DeviceModel> & { name: string }))[]
  plan?: Plan
  protocols?: number[]
  app?: string
  boot?: string
  answersPings?: boolean
  /** Removes finished jobs from `jobs`, for long runs. */
  forgetsJobs?: boolean
  /** Answers requests about the device's models. */
  onModelRequest?: (request: ModelRequestFrame) => Omit<ModelReply, 'type' | 'request'>
  /** Takes sealed requests with this key: its models have the feature `sealed`. */
  sealKey?: AgreementKey
  /** Sent instead of the hello frame. */
  greeting?: string
  /** Added to the hello frame as they are. */
  extraFields?: Record<string, unknown>
}

export interface LinkClosed {
  code: number
  reason: string
}

/** Without this wait, the device would buffer a whole answer before a slow gateway could ask it to pause. */
const MOST_UNSENT_BYTES = 256 * 1024

type Welcome = Extract<GatewayFrame, { type: 'welcome' }>

export class ScriptedDevice implements AsyncDisposable {
  plan: Plan
  readonly welcome: Promise<Welcome>
  readonly closed: Promise<LinkClosed>
  /** Every job offered, oldest first. */
  readonly jobs: ScriptedJob[] = []
  readonly defaults = new Map<string, ModelDefaults>()
  readonly modelRequests: ModelRequestFrame[] = []
  restartsInMs: number | undefined
  readonly #options: ScriptedDeviceOptions
  readonly #socket: WebSocket
  readonly #welcome = Promise.withResolvers<Welcome>()
  readonly #watchers = new Watchers()
  #lastSent: Promise<void> | undefined
  readonly #arrivals: JobArrivals
  readonly #running = new Map<string, ScriptedJob>()

  /** Resolves once the gateway has welcomed the device. */
  static async connect(options: ScriptedDeviceOptions): Promise<ScriptedDevice> {
    const device = new ScriptedDevice(options)
    await device.welcome
    return device
  }

  /** Connects immediately. Use `connect`, except for devices that are expected to be rejected. */
  constructor(options: ScriptedDeviceOptions) {
    this.#options = options
    this.plan = options.plan ?? {}
    this.#arrivals = this.#takeArrivals(options.sealKey)
    this.welcome = this.#welcome.promise
    this.welcome.catch(() => {})
    this.#socket = new WebSocket(new URL('/device/v1/link', options.gateway.replace(/^http/, 'ws')), {
      headers: { authorization: `Bearer ${options.credential}` },
      perMessageDeflate: false,
    })
    this.closed = this.#watchClose()
    this.#socket.on('open', () => this.#hello())
    this.#socket.on('message', (data: Buffer) => this.#receive(data.toString()))
  }

  /** Drops the connection like a crashing machine: without a close frame. */
  crash(): void {
    this.#socket.terminate()
  }

  announce(models: ScriptedDeviceOptions['models']): void {
    this.send({ type: 'models', models: this.#describe(models) })
  }

  drain(): void {
    this.send({ type: 'drain' })
  }

  send(...frames: readonly DeviceFrame[]): void {
    this.sendRaw(joinFrames(frames.map(encodeFrame)))
  }

  /** Sends any message, well-formed or not. */
  sendRaw(message: string | Uint8Array): void {
    if (this.#socket.readyState === WebSocket.OPEN) this.#lastSent = this.#write(message)
    this.#watchers.look()
  }

  /** Resolves when the condition holds. It is checked whenever this device sends or receives something. */
  async until(what: string, condition: () => boolean, deadlineMs = 150_000): Promise<void> {
    await this.#watchers.until(what, condition, deadlineMs)
  }

  /** The job at this position in `jobs`, once it has been offered. */
  async job(index: number): Promise<ScriptedJob> {
    await this.until(`job ${index} is offered`, () => this.jobs.length > index)
    return this.jobs[index]!
  }

  async close(): Promise<void> {
    this.#socket.close(1000)
    await this.closed
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.crash()
    await this.closed
  }

  #hello(): void {
    const {
      protocols = [...PROTOCOL_VERSIONS],
      app = 'scripted/1',
      boot = 'boot-1',
      models,
      sealKey,
      extraFields,
    } = this.#options
    const hello = {
      type: 'hello',
      protocols,
      app,
      boot,
      engine: 'scripted',
      models: this.#describe(models),
      ...(sealKey && { sealKey: sealKey.publicKey }),
      ...extraFields,
    }
    this.sendRaw(this.#options.greeting ?? JSON.stringify(hello))
  }

  #describe(models: ScriptedDeviceOptions['models']): DeviceModel[] {
    return models.map((model) => toModel(model, this.#options.sealKey !== undefined))
  }

  #receive(message: string): void {
    parseGatewayFrames(message, (frame) => this.#act(frame))
    this.#watchers.look()
  }

  #act(frame: GatewayFrame): void {
    if (isModelRequest(frame)) {
      this.modelRequests.push(frame)
      return this.send({ type: 'model-reply', request: frame.request, ...this.#options.onModelRequest?.(frame) })
    }
    switch (frame.type) {
      case 'welcome':
        return this.#welcome.resolve(frame)
      case 'ping':
        return this.#options.answersPings === false ? undefined : this.send({ type: 'pong' })
      case 'job-start':
        return this.#arrivals.start(frame)
      case 'job-part':
        return this.#arrivals.takePart(frame)
      case 'job-cancel':
        this.#arrivals.cancel(frame, frame.reason)
        return this.#find(frame)?.cancel(frame.reason)
      case 'job-pause':
        return this.#find(frame)?.pause()
      case 'job-resume':
        return this.#find(frame)?.resume()
      case 'restarting':
        this.restartsInMs = frame.reconnectInMs
        return
      case 'defaults':
        this.defaults.set(frame.model, frame.defaults)
        return
      case 'notice':
      case 'piece-wanted':
        return
      default:
        frame satisfies never
    }
  }

  #takeArrivals(key: AgreementKey | undefined): JobArrivals {
    const opener = key && (async () => ({ device: (await this.welcome).device, key }))
    return new JobArrivals(opener, {
      run: (start, request, sealer) => this.#run(start, request, sealer),
      cancel: (attempt, reason) => this.#find(attempt)?.cancel(reason),
      cannotOpen: (attempt, message) => this.#rejectSeal(attempt, message),
    })
  }

  #rejectSeal({ job, attempt }: JobAttempt, message: string): void {
    this.send({ type: 'job-error', job, attempt, code: 'seal_rejected', message, retryable: true, crashed: false })
  }

  #run(start: JobStart, request: ChatJob, sealer?: FrameSealer): void {
    const plan = typeof this.plan === 'function' ? this.plan(request) : this.plan
    const wire = sealer ? sealingWire(this.#wire(), start, sealer) : this.#wire()
    const job = new ScriptedJob({ ...start, request }, plan, wire)
    if (this.#options.forgetsJobs !== true) this.jobs.push(job)
    this.#running.set(nameOf(start), job)
    void job.follow().finally(() => {
      if (this.#options.forgetsJobs === true) this.#running.delete(nameOf(start))
      this.#watchers.look()
    })
  }

  #wire(): JobWire {
    return {
      send: (frames) => this.sendRaw(frames.length === 1 ? JSON.stringify(frames[0]) : JSON.stringify(frames)),
      sendRaw: (message) => this.sendRaw(message),
      crash: () => this.crash(),
      drained: () => (this.#socket.bufferedAmount > MOST_UNSENT_BYTES ? this.#lastSent : undefined),
    }
  }

  #find(frame: JobAttempt): ScriptedJob | undefined {
    return this.#running.get(nameOf(frame))
  }

  async #write(message: string | Uint8Array): Promise<void> {
    const written = Promise.withResolvers<void>()
    this.#socket.send(message, () => written.resolve())
    return written.promise
  }

  async #watchClose(): Promise<LinkClosed> {
    const closed = Promise.withResolvers<LinkClosed>()
    this.#socket.on('error', (error) => this.#welcome.reject(error))
    this.#socket.on('close', (code, reason) => {
      for (const job of this.#running.values()) job.abandon()
      this.#welcome.reject(new Error(`The gateway closed the link: ${code} ${String(reason)}`))
      closed.resolve({ code, reason: String(reason) })
      this.#watchers.look()
    })
    return closed.promise
  }
}

function toModel(model: ScriptedDeviceOptions['models'][number], takesSealed: boolean): DeviceModel {
  const { features = [], ...given } = typeof model === 'string' ? { name: model } : model
  const all = new Set(takesSealed ? [...features, 'sealed' as const] : features)
  return { contextLength: 8192, slots: 4, ...given, features: [...all] }
}
