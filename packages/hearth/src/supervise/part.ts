// A part of Hearth that keeps running: when its process ends or hangs, another one takes its place.

import { setTimeout as sleep } from 'node:timers/promises'
import { describeError } from '@hearth/command-line/errors'
import type { End } from '@hearth/command-line/processes/child-end'
import { keepRunning, type Running, type RunState } from '@hearth/command-line/processes/keep-running'
import { RestartPlan } from '@hearth/command-line/processes/restart-plan'
import { describeEnd, explainEnd } from './describe-end.ts'
import type { OnLine, PartProcess } from './part-process.ts'
import { readActivity } from './read-activity.ts'
import { saysWhereItHangs } from './readable-line.ts'
import { PART_RESTARTS } from './restart-policy.ts'
import { SilenceWatch, type WatchOptions } from './watch-silence.ts'

type PartState = { name: 'starting' | 'running' | 'stopping'; process: PartProcess } | { name: 'down' }

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

/** The end of the process that did the part's work. */
interface Over {
  process: PartProcess
  end: End
}

/** The process ended before it was ready. */
class NotReadyError extends Error {
  readonly over: Over

  constructor(name: string, over: Over) {
    super(explainEnd(name, over.end, over.process.lastLines()))
    this.over = over
  }
}

/** The launcher had to stop while the part started. */
export class StoppedError extends Error {
  override name = 'StoppedError'
}

export class Part {
  readonly name: string
  readonly #options: Required<PartOptions>
  readonly #stopping = new AbortController()
  #state: PartState = { name: 'down' }
  /** Settles when the part no longer runs and isn't started again. */
  #stopped: Promise<void> = Promise.resolve()
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
    const { now, pause } = this.#options
    let onUp = (): void => {
      isUp.resolve()
      onUp = () => this.#say(`${this.name} is back (process ID ${this.pid})`)
    }
    this.#stopped = keepRunning<Over, Running<Over>>(
      {
        plan: new RestartPlan(PART_RESTARTS),
        start: (signal) => this.#startProcess(signal),
        onState: (state) => this.#enter(state, () => onUp()),
        now,
        pause,
      },
      this.#stopping.signal,
    )
    const stoppedBefore = this.#stopped.then(() => {
      throw new StoppedError(`The ${this.name} was stopped`)
    })
    await Promise.race([isUp.promise, stoppedBefore])
  }

  async stop(): Promise<void> {
    this.#stopping.abort()
    if (this.#state.name === 'running') this.#rename('stopping')
    await Promise.all([...this.#beside].map((process) => process.stop()))
    // Whoever started it knows why it could not start.
    await this.#stopped.catch(() => undefined)
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
    this.#state = { name: 'running', process: next }
    this.#say(`${this.name} has a successor (process ID ${next.pid}); the old one finishes its requests`)
    this.#beside.add(old)
    old.handOver()
    await old.ended
    this.#beside.delete(old)
  }

  /** For the moment when this process ends. */
  kill(): void {
    if (this.#state.name !== 'down') this.#state.process.kill()
    for (const process of this.#beside) process.kill()
  }

  /** Resolves when the process is ready. */
  async #startProcess(signal: AbortSignal): Promise<Running<Over>> {
    const ended = Promise.withResolvers<Over>()
    this.#onOver = ended.resolve
    const isReady = Promise.withResolvers<undefined>()
    const process = this.#launch(() => isReady.resolve(undefined))
    this.#state = { name: 'starting', process }
    const stop = (): void => void process.stop()
    signal.addEventListener('abort', stop, { once: true })
    const over = await Promise.race([isReady.promise, ended.promise])
    signal.removeEventListener('abort', stop)
    if (over === undefined) return { ended: ended.promise, stop: () => this.#stopProcess() }
    this.#state = { name: 'down' }
    throw new NotReadyError(this.name, over)
  }

  /** Of the current process, which may be a successor of the one that was started. */
  async #stopProcess(): Promise<void> {
    if (this.#state.name !== 'down') await this.#state.process.stop()
    this.#state = { name: 'down' }
  }

  #enter(state: RunState<Over, Running<Over>>, onUp: () => void): void {
    switch (state.name) {
      case 'running':
        this.#rename('running')
        return onUp()
      case 'ended':
        this.#state = { name: 'down' }
        return this.#sayEnd(this.#describe(state.end), state.pauseMs)
      case 'not-started':
        return this.#sayEnd(this.#describeFailure(state.error), state.pauseMs)
      case 'stopping':
        return this.#rename('stopping')
      default:
        return state satisfies never
    }
  }

  #rename(name: 'running' | 'stopping'): void {
    if (this.#state.name !== 'down') this.#state = { name, process: this.#state.process }
  }

  #sayEnd(what: string, pauseMs: number): void {
    this.#say(`${what}; starting it again${pauseMs > 0 ? ` in ${pauseMs / 1000} s` : ''}`)
  }

  #describe({ process, end }: Over): string {
    return describeEnd(this.name, end, process.lastLines())
  }

  #describeFailure(error: unknown): string {
    return error instanceof NotReadyError
      ? this.#describe(error.over)
      : `${this.name} could not start (${describeError(error)})`
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
    if (this.#state.name !== 'down' && this.#state.process === process) this.#onOver({ process, end })
  }

  #say(text: string): void {
    this.#options.tell(text)
    this.#options.keep(text)
  }
}

function every(ms: number, look: () => void): () => void {
  const timer = setInterval(look, ms).unref()
  return () => clearInterval(timer)
}

/** Only an abort ends it early. */
async function pause(ms: number, signal: AbortSignal): Promise<void> {
  await sleep(ms, undefined, { signal }).catch(() => undefined)
}
