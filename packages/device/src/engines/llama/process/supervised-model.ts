// One model and the process it runs in, which is started again when it dies. Jobs that ran at that moment fail and may be tried again;
// a job the engine has died on several times is refused.

import type { ChatEvent, ChatJob, DeviceModel } from '@hearth/protocol'
import { setTimeout as wait } from 'node:timers/promises'
import { EngineError, type EngineChange, type EngineProgress } from '../../engine.ts'
import { CrashRecord } from './crash-record.ts'
import { HostProcess, type ForkHost } from './host-process.ts'
import type { LoadOptions } from '../native/load-model.ts'

/** Before each restart; after the last one failed too, it is given up. */
const RESTART_MS = [500, 1_000, 2_000, 5_000, 15_000]
/** A process that lived this long did not die of its start. */
const SETTLED_MS = 60_000
const RELOAD_MS = 10 * 60_000
/** How long a cancelled job is waited for: a decode can't be interrupted. */
const CANCEL_MS = 30_000

type State =
  | { name: 'idle' }
  | { name: 'serving'; host: HostProcess; model: DeviceModel; since: number }
  | { name: 'restarting' }
  | { name: 'gone' }

export interface SupervisedOptions {
  load: LoadOptions
  fork: ForkHost
  onChange(change: EngineChange): void
  restartMs?: readonly number[]
}

export class SupervisedModel {
  readonly name: string
  readonly #options: SupervisedOptions
  readonly #crashes = new CrashRecord()
  readonly #end = new AbortController()
  #state: State = { name: 'idle' }
  #failures = 0

  constructor(options: SupervisedOptions) {
    this.#options = options
    this.name = options.load.model.name
  }

  get model(): DeviceModel | undefined {
    return this.#state.name === 'serving' ? this.#state.model : undefined
  }

  async start(signal: AbortSignal): Promise<void> {
    await this.#startHost(AbortSignal.any([signal, this.#end.signal]))
  }

  async stop(): Promise<void> {
    const state = this.#state
    this.#state = { name: 'gone' }
    this.#end.abort()
    if (state.name === 'serving') await state.host.stop()
  }

  async *run(job: ChatJob, signal: AbortSignal, report: (progress: EngineProgress) => void): AsyncGenerator<ChatEvent> {
    const host = this.#hostFor(job)
    const { queue, cancel } = host.run(job, report)
    try {
      for (let event = await queue.next(signal); event !== undefined; event = await queue.next(signal)) yield event
    } catch (error) {
      if (error instanceof EngineError && error.crashed) this.#crashes.note(job)
      throw error
    } finally {
      if (!queue.isEnded) {
        cancel()
        await Promise.race([queue.ended, wait(CANCEL_MS, undefined, { ref: false })])
      }
    }
  }

  #hostFor(job: ChatJob): HostProcess {
    if (this.#state.name !== 'serving')
      throw new EngineError('failed', `Model "${this.name}" is not loaded at the moment`, { retryable: true })
    if (this.#crashes.isPoison(job))
      throw new EngineError('failed', 'The engine died on this request several times', { crashed: true })
    return this.#state.host
  }

  async #startHost(signal: AbortSignal): Promise<void> {
    const host = new HostProcess(this.#options.load, this.#options.fork)
    try {
      const model = await host.load(signal)
      this.#state = { name: 'serving', host, model, since: performance.now() }
      void host.exited.then((why) => this.#onExit(host, why))
    } catch (error) {
      await host.stop()
      throw error
    }
  }

  #onExit(host: HostProcess, why: string): void {
    if (this.#state.name !== 'serving' || this.#state.host !== host) return
    if (performance.now() - this.#state.since > SETTLED_MS) this.#failures = 0
    this.#state = { name: 'restarting' }
    void this.#restart(`the engine stopped unexpectedly: ${why}`)
  }

  async #restart(why: string): Promise<void> {
    const restartInMs = (this.#options.restartMs ?? RESTART_MS)[this.#failures++]
    if (restartInMs === undefined) return this.#giveUp(why)
    this.#options.onChange({ type: 'engine-crashed', model: this.name, message: why, restartInMs })
    try {
      await wait(restartInMs, undefined, { signal: this.#end.signal })
      await this.#startHost(AbortSignal.any([this.#end.signal, AbortSignal.timeout(RELOAD_MS)]))
      this.#options.onChange({ type: 'engine-restarted', model: this.name })
    } catch (error) {
      if (!this.#end.signal.aborted) this.#giveUp(error instanceof Error ? error.message : why)
    }
  }

  #giveUp(message: string): void {
    this.#state = { name: 'gone' }
    this.#options.onChange({ type: 'engine-gave-up', model: this.name, message })
  }
}
