// The embedded engine: one model in one process. It ends with its process and reports that; starting another one is the supervisor's job.

import type { ChatEvent, DeviceModel } from '@hearth/protocol'
import { setTimeout as wait } from 'node:timers/promises'
import { unlessAborted } from '../../clock.ts'
import {
  EngineError,
  NoRoomError,
  type EngineEnd,
  type EngineJob,
  type EngineProgress,
  type LoadProgress,
  type Memory,
  type ModelEngine,
  type Room,
} from '../engine.ts'
import { tooLong } from '../too-long.ts'
import type { LlamaOptions } from './llama-options.ts'
import { readError, type FromHost, type RunOutput } from './process/host-messages.ts'
import { HostProcess, forkHost, type ForkHost, type ProcessEnd } from './process/host-process.ts'
import { RunQueue } from './process/run-queue.ts'
import { cannotFit } from './template/cannot-fit.ts'

const NOTHING: Memory = { ram: 0, gpu: 0 }
/** For an engine that has the machine to itself. */
const ALONE: Room = { held: () => NOTHING, evictable: () => NOTHING, make: () => Promise.resolve('take-less') }

/** How long to wait for a canceled job: a decode can't be interrupted. */
const CANCEL_MS = 30_000

type State =
  | { name: 'new' }
  | { name: 'loading'; host: HostProcess; room: Room; signal: AbortSignal; report: ReportLoading }
  | { name: 'serving'; host: HostProcess; model: DeviceModel; memory: Memory; textRoom: number }
  | { name: 'ended' }

type ReportLoading = (progress: LoadProgress) => void

interface Run {
  job: EngineJob
  queue: RunQueue
  report: (progress: EngineProgress) => void
}

export function createLlamaEngine(options: LlamaOptions, fork: ForkHost = forkHost): ModelEngine {
  return new LlamaEngine(options, fork)
}

class LlamaEngine implements ModelEngine {
  readonly kind = 'llama'
  readonly ended: Promise<EngineEnd>
  readonly #options: LlamaOptions
  readonly #fork: ForkHost
  readonly #loaded = Promise.withResolvers<void>()
  readonly #died = Promise.withResolvers<EngineEnd>()
  readonly #runs = new Map<number, Run>()
  #state: State = { name: 'new' }
  #nextRun = 0
  /** The one that the process uses now. */
  #chatTemplate: string | undefined

  constructor(options: LlamaOptions, fork: ForkHost) {
    this.#options = options
    this.#chatTemplate = options.chatTemplate
    this.#fork = fork
    this.ended = this.#died.promise
    // Whoever starts the engine gets the error; one that is stopped before its start has nobody to tell.
    this.#loaded.promise.catch(() => undefined)
  }

  get memory(): Memory | undefined {
    return this.#state.name === 'serving' ? this.#state.memory : undefined
  }

  async start(signal: AbortSignal, room: Room = ALONE, report: ReportLoading = () => undefined): Promise<void> {
    signal.throwIfAborted()
    const host = new HostProcess(this.#fork(this.#options), (message) => this.#receive(message))
    this.#state = { name: 'loading', host, room, signal, report }
    void host.exited.then((end) => this.#exited(end))
    try {
      this.#load(room.evictable())
      await unlessAborted(this.#loaded.promise, signal)
    } catch (error) {
      await this.stop()
      throw error
    }
  }

  #load(evictable: Memory): void {
    if (this.#state.name !== 'loading') return
    const { host, room } = this.#state
    host.send({ type: 'load', options: this.#options, room: { held: room.held(), evictable } })
  }

  /** With nothing left to free, the process takes what there is, or says that it is not enough. */
  async #makeRoom(): Promise<void> {
    if (this.#state.name !== 'loading') return
    const { room, signal } = this.#state
    const answer = await room.make(signal)
    if (answer === 'give-up') this.#loaded.reject(new NoRoomError('There is no room for it beside the other models'))
    else this.#load(answer === 'made' ? room.evictable() : NOTHING)
  }

  models(): readonly DeviceModel[] {
    return this.#state.name === 'serving' ? [this.#state.model] : []
  }

  async *run(
    job: EngineJob,
    signal: AbortSignal,
    report: (progress: EngineProgress) => void,
  ): AsyncGenerator<ChatEvent> {
    // Not even sent to the process: it has streams to serve.
    const { textRoom, model } = this.#serving(job)
    if (await cannotFit(job, textRoom)) throw tooLong(model.contextLength)
    const { queue, cancel } = this.#send(job, report)
    try {
      for (let event = await queue.next(signal); event !== undefined; event = await queue.next(signal)) yield event
    } finally {
      if (!queue.isEnded) {
        cancel()
        await Promise.race([queue.ended, wait(CANCEL_MS, undefined, { ref: false })])
      }
    }
  }

  async stop(): Promise<void> {
    const state = this.#state
    this.#end(new EngineError('failed', 'The engine is stopping', { retryable: true }))
    if (state.name === 'loading' || state.name === 'serving') await state.host.stop()
  }

  #serving({ model }: EngineJob): Extract<State, { name: 'serving' }> {
    if (this.#state.name === 'serving' && this.#state.model.name === model) return this.#state
    throw new EngineError('failed', `Model "${model}" is not loaded right now`, { retryable: true })
  }

  #send(job: EngineJob, report: (progress: EngineProgress) => void): { queue: RunQueue; cancel: () => void } {
    const { host } = this.#serving(job)
    const run = this.#nextRun++
    const queue = new RunQueue((isPaused) => host.send({ type: 'pause', run, isPaused }))
    this.#runs.set(run, { job, queue, report })
    const { chatTemplate, ...request } = job
    if (chatTemplate !== this.#chatTemplate) host.send({ type: 'template', chatTemplate })
    this.#chatTemplate = chatTemplate
    host.send({ type: 'run', run, job: request })
    return { queue, cancel: () => host.send({ type: 'cancel', run }) }
  }

  #receive(message: FromHost): void {
    switch (message.type) {
      case 'loaded':
        if (this.#state.name === 'loading') this.#state = { ...message, name: 'serving', host: this.#state.host }
        return this.#loaded.resolve()
      case 'cramped':
        return void this.#makeRoom().catch((error: unknown) => this.#loaded.reject(error))
      case 'load-progress':
        return this.#state.name === 'loading' ? this.#state.report(message.progress) : undefined
      case 'load-failed':
        return this.#loaded.reject(readError(message.error))
      case 'outputs':
        return message.outputs.forEach((output) => this.#receiveOutput(output))
      default:
        return message satisfies never
    }
  }

  #receiveOutput(output: RunOutput): void {
    const run = this.#runs.get(output.run)
    switch (output.type) {
      case 'event':
        return run?.queue.push(output.event)
      case 'progress':
        return run?.report(output.progress)
      case 'end':
        this.#runs.delete(output.run)
        return run?.queue.end(output.error && readError(output.error))
      default:
        return output satisfies never
    }
  }

  #exited({ how, cause }: ProcessEnd): void {
    const wasServing = this.#state.name === 'serving'
    const jobs = Array.from(this.#runs.values(), ({ job }) => job)
    const isKilled = cause === 'killed'
    const blame = isKilled ? {} : { fault: { how, isCertain: false } }
    const why = isKilled ? `engine was ended from outside: ${how}` : `engine stopped unexpectedly: ${how}`
    this.#end(new EngineError('failed', `The ${why}`, { retryable: true, crashed: !isKilled, ...blame }))
    if (wasServing) this.#died.resolve({ why: `the ${why}`, cause, jobs, ...blame })
  }

  #end(error: EngineError): void {
    this.#state = { name: 'ended' }
    this.#loaded.reject(error)
    for (const { queue } of this.#runs.values()) queue.end(error)
    this.#runs.clear()
  }
}
