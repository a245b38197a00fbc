// A part of Hearth that keeps running: when its process ends, another one takes its place.

import { setTimeout as sleep } from 'node:timers/promises'
import { describeEnd, explainEnd } from './describe-end.ts'
import type { End, OnLine, PartProcess } from './part-process.ts'
import { readActivity } from './read-activity.ts'
import { saysWhereItHangs } from './readable-line.ts'
import { SilenceWatch, type WatchOptions } from './watch-silence.ts'

type PartState =
  | { name: 'starting'; process: PartProcess }
  | { name: 'running'; process: PartProcess; since: number }
  | { name: 'pausing'; pause: AbortController }
  | { name: 'stopping'; process: PartProcess }
  | { name: 'stopped' }

export interface PartOptions {
  name: string
  /** Starts a process, which calls `onAlive` every second. */
  launch: (onLine: OnLine, onAlive: () => void) => PartProcess
  /** Occurs in the line that says that the part does its work. */
  ready: string
  /** Turns a line of output into a message for the person at the terminal, if it is worth one. */
  read?: (...line: Parameters<OnLine>) => string | undefined
  tell: (text: string) => void
  /** How a new process takes over: beside the old one, which hands over its work, or after it has ended. By default, none does. */
  replacement?: 'beside' | 'after' | 'none'
  /** Keeps a line of output, and how the part fared. */
  keep?: (line: string) => void
  /** Tests have a clock of their own. */
  now?: () => number
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
  every?: WatchOptions['every']
  readActivity?: WatchOptions['readActivity']
}

interface Over {
  process: PartProcess
  end: End
  ranMs: number | undefined
}

/** The launcher had to stop while the part started. */
export class StoppedError extends Error {
  override name = 'StoppedError'
}

export class Part {
  readonly name: string
  readonly #options: Required<PartOptions>
  readonly #plan = new RestartPlan()
  #state: PartState = { name: 'stopped' }
  /** Ends the wait for the current process. */
  #onOver: (over: Over) => void = () => undefined
  /** Those that have handed over, or will take over. */
  readonly #beside = new Set<PartProcess>()

  constructor(options: PartOptions) {
    this.name = options.name
    this.#options = {
      read: () => undefined,
      replacement: 'none',
      keep: () => undefined,
      now: () => performance.now(),
      pause,
      every,
      readActivity,
      ...options,
    }
  }

  /** Undefined unless the part does its work. */
  get pid(): number | undefined {
    return this.#state.name === 'running' ? this.#state.process.pid : undefined
  }

  /** Resolves when the part runs for the first time; rejects with its last output if it ends before. */
  async start(): Promise<void> {
    const isUp = Promise.withResolvers<void>()
    await Promise.race([isUp.promise, this.#keepRunning(isUp.resolve)])
  }

  async stop(): Promise<void> {
    const state = this.#state
    if (state.name === 'stopped') return
    if (state.name === 'pausing') {
      this.#state = { name: 'stopped' }
      return state.pause.abort()
    }
    this.#state = { name: 'stopping', process: state.process }
    await Promise.all([state.process, ...this.#beside].map((process) => process.stop()))
    this.#state = { name: 'stopped' }
  }

  /** Has a new process take over. If it doesn't come up, the old one goes on. Resolves when the old one has ended. */
  async replace(): Promise<void> {
    const { replacement } = this.#options
    if (replacement === 'none') return
    if (this.#state.name !== 'running') throw new Error(`${this.name} is not running yet`)
    const { process: old } = this.#state
    if (replacement === 'after') return old.stop()
    const isUp = Promise.withResolvers<undefined>()
    const next = this.#launch(() => isUp.resolve(undefined))
    this.#beside.add(next)
    const end = await Promise.race([isUp.promise, next.ended])
    this.#beside.delete(next)
    if (end !== undefined) throw new Error(`${describeEnd(this.name, end, next.lastLines())}. The old one goes on`)
    if (this.#state.name !== 'running') return next.kill()
    this.#state = { name: 'running', process: next, since: this.#options.now() }
    this.#say(`${this.name} has a successor (process ID ${next.pid}); the old one finishes its requests`)
    this.#beside.add(old)
    old.handOver()
    await old.ended
    this.#beside.delete(old)
  }

  /** For the moment when this process ends. */
  kill(): void {
    if ('process' in this.#state) this.#state.process.kill()
    for (const process of this.#beside) process.kill()
  }

  async #keepRunning(onUp: () => void): Promise<never> {
    for (;;) {
      const { process, ranMs, end } = await this.#runOnce(onUp)
      this.#rejectIfStopped()
      const step = this.#plan.afterEnd(ranMs)
      if (step.name === 'give-up') {
        this.#state = { name: 'stopped' }
        throw new Error(explainEnd(this.name, end, process.lastLines()))
      }
      const pause = step.pauseMs > 0 ? ` in ${step.pauseMs / 1000} s` : ''
      this.#say(`${describeEnd(this.name, end, process.lastLines())}; starting it again${pause}`)
      await this.#pause(step.pauseMs)
      this.#rejectIfStopped()
      onUp = () => this.#say(`${this.name} is back (process ID ${this.pid})`)
    }
  }

  async #runOnce(onUp: () => void): Promise<Over> {
    const over = Promise.withResolvers<Over>()
    this.#onOver = over.resolve
    const process = this.#launch(() => {
      if (this.#state.name !== 'starting') return
      this.#state = { name: 'running', process, since: this.#options.now() }
      onUp()
    })
    this.#state = { name: 'starting', process }
    return over.promise
  }

  #launch(onReady: () => void): PartProcess {
    const { launch, ready, read, tell, keep } = this.#options
    let isUp = false
    const onLine: OnLine = (line, stream) => {
      keep(line)
      watch.prints()
      const text = saysWhereItHangs(line) ? undefined : read(line, stream)
      if (text !== undefined) tell(`${this.name}: ${text}`)
      if (isUp || !line.includes(ready)) return
      isUp = true
      watch.isUp()
      onReady()
    }
    const process = launch(onLine, () => watch.lives())
    const watch = new SilenceWatch({ ...this.#options, process, say: (text) => this.#say(text) })
    void this.#untilOver(process).finally(() => watch.stop())
    return process
  }

  /** The end of a process that has a successor is not the end of the part's. */
  async #untilOver(process: PartProcess): Promise<void> {
    const end = await process.ended
    if ('process' in this.#state && this.#state.process === process)
      this.#onOver({ process, end, ranMs: this.#ranMs() })
  }

  #say(text: string): void {
    this.#options.tell(text)
    this.#options.keep(text)
  }

  #ranMs(): number | undefined {
    return this.#state.name === 'running' ? this.#options.now() - this.#state.since : undefined
  }

  async #pause(ms: number): Promise<void> {
    const pausing = new AbortController()
    this.#state = { name: 'pausing', pause: pausing }
    await this.#options.pause(ms, pausing.signal)
  }

  #rejectIfStopped(): void {
    if (this.#state.name === 'stopping' || this.#state.name === 'stopped')
      throw new StoppedError(`The ${this.name} was stopped`)
  }
}

function every(ms: number, look: () => void): () => void {
  const timer = setInterval(look, ms).unref()
  return () => clearInterval(timer)
}

async function pause(ms: number, signal: AbortSignal): Promise<void> {
  // The sleep only rejects if the part is stopped meanwhile, which `#keepRunning` sees.
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}

// Decides what follows when the process of a part has ended: another one after a pause, or the end of the attempt.
/** The first one is no pause: whoever waits for an answer gets it as soon as possible. */
const PAUSES_MS = [0, 500, 1_000, 2_000, 5_000]
const LONGEST_PAUSE_MS = 15_000
/** A process that ran this long did not end because of how it was started, so the pauses begin again. */
const SETTLED_MS = 30_000

type NextStep = { name: 'restart'; pauseMs: number } | { name: 'give-up' }

export class RestartPlan {
  #everRan = false
  #ends = 0

  /** `ranMs` is undefined if the process ended while it was starting. */
  afterEnd(ranMs: number | undefined): NextStep {
    if (ranMs !== undefined) this.#everRan = true
    // A first start fails for a reason that trying again does not change, such as a wrong setting.
    if (!this.#everRan) return { name: 'give-up' }
    if ((ranMs ?? 0) > SETTLED_MS) this.#ends = 0
    return { name: 'restart', pauseMs: PAUSES_MS[this.#ends++] ?? LONGEST_PAUSE_MS }
  }
}
