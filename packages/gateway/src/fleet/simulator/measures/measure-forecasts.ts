// Plays a load against the scheduler and compares its forecasts with what happened: once when a job is submitted, and again and again while
// it waits.

import { SCHEDULER_LIMITS } from '../../scheduler/core/types.ts'
import type { Ms, Ticket } from '../../terms/job.ts'
import type { LeaseOf } from '../../terms/messages.ts'
import { Random } from '../random.ts'
import type { Load, LoadDevice, LoadKey } from './loads.ts'
import { Market } from './market.ts'

export interface ForecastErrors {
  guesses: readonly Guess[]
  /** Forecasts at the submission. */
  atSubmit: Errors
  /** Those for jobs that did not get a slot at once. */
  whenQueued: Errors
  /** Forecasts of the time that is left, made again and again for every job that waits. */
  whileWaiting: Errors
}

export interface Errors {
  count: number
  /** Of how far forecasts were off, divided by the real time, or by `FLOOR_MS` if that is more. */
  median: number
  /** Forecasts that said nothing. */
  unknown: number
}

const LIMITS = { ...SCHEDULER_LIMITS, queuePerKey: 1e6 }
const LOOK_MS = 2_000
/** The first jobs teach the scheduler how fast devices are. */
const WARM_UP_MS = 5 * 60_000
const SPOKEN_TOKENS = 8
/** Nobody notices whether it was 20 ms or 40 ms. */
const FLOOR_MS = 100

/** Runs until this many `jobs` have been measured. Without `looks`, only at their submission, which is much cheaper. */
export function measureForecasts(load: Load, seed: number, jobs: number, looks = true): ForecastErrors {
  const play = new LoadPlay(load, seed)
  if (looks) play.lookLater()
  while (play.measured < jobs) play.step()
  return {
    guesses: play.guesses,
    atSubmit: summarize(play.guesses.filter(({ kind }) => kind !== 'later')),
    whenQueued: summarize(play.guesses.filter(({ kind }) => kind === 'queued')),
    whileWaiting: summarize(play.guesses.filter(({ kind }) => kind === 'later')),
  }
}

export interface Guess {
  /** Made at the submission of a job that started at once or was queued, or later. */
  kind: 'started' | 'queued' | 'later'
  at: Ms
  expectedMs: Ms | undefined
  actualMs: Ms
}

interface QueuedJob {
  ticket: Ticket
  tokens: number
  guesses: Guess[]
}

interface Taken {
  of: LeaseOf
  asked: QueuedJob
  /** Or when the model was loaded. */
  offeredAt: Ms
}

interface Begun {
  readMs: Ms
  firstEventAt: Ms
}

interface Machine extends LoadDevice {
  id: string
  isLoaded: boolean
  loadedAt: Ms
  usedAt: Ms
  busy: number
}

class LoadPlay {
  readonly guesses: Guess[] = []
  measured = 0
  readonly #market = new Market(LIMITS, ({ job }, of) => this.#offer(job, of))
  readonly #random: Random
  readonly #keys: readonly string[]
  readonly #machines = new Map<string, Machine>()
  readonly #waiting = new Map<string, QueuedJob>()

  constructor({ devices, keys }: Load, seed: number) {
    this.#random = new Random(seed)
    for (const [index, device] of devices.entries()) this.#link(device, `device-${index}`)
    this.#keys = keys.map((_, index) => `key-${index}`)
    for (const [index, key] of keys.entries()) this.#arriveLater(key, this.#keys[index]!)
  }

  get clock(): Market['clock'] {
    return this.#market.clock
  }

  step(): void {
    this.#market.step()
  }

  #link(device: LoadDevice, id: string): void {
    const machine = { ...device, id, isLoaded: device.load === undefined, loadedAt: 0, usedAt: 0, busy: 0 }
    this.#machines.set(id, machine)
    this.#announce(machine)
  }

  #arriveLater(key: LoadKey, name: string): void {
    this.clock.after(-Math.log(1 - this.#random.fraction()) * key.everyMs, () => {
      for (let count = key.together ?? 1; count > 0; count--) this.#submit(key, name)
      this.#arriveLater(key, name)
    })
  }

  #submit({ prompt, answer }: LoadKey, key: string): void {
    const [least, most] = prompt
    const promptSize = Math.round(least * (most / least) ** this.#random.fraction())
    const limit = answer.kind === 'fixed' ? answer.tokens : answer.limit
    const cost = Math.ceil(promptSize / 4) + (limit ?? 256)
    const ticket = this.#market.request({ key, cost, promptSize, ...(limit !== undefined && { answerLimit: limit }) })
    this.#waiting.set(ticket.job, { ticket, tokens: this.#length(answer), guesses: [] })
    const isQueued = !this.#market.scheduler.decisions.some(({ type }) => type === 'lease')
    this.#guess(key, isQueued ? 'queued' : 'started', ticket.job)
    this.#market.settle()
  }

  // The spread of a log-normal distribution, as answers to people have it.
  #length(answer: LoadKey['answer']): number {
    if (answer.kind === 'fixed') return answer.tokens
    let normal = -6
    for (let count = 0; count < 12; count++) normal += this.#random.fraction()
    return Math.max(1, Math.round(Math.min(answer.limit ?? 4_096, answer.median * Math.exp(0.8 * normal))))
  }

  lookLater(): void {
    this.clock.after(LOOK_MS, () => {
      for (const key of this.#keys) this.#guess(key, 'later')
      this.lookLater()
    })
  }

  /** Of all jobs of the key, or only of this one. */
  #guess(key: string, kind: Guess['kind'], only?: string): void {
    const { now } = this.clock
    for (const [job, { firstEventMs: expectedMs }] of this.#market.scheduler.forecasts(key, now))
      if (only === undefined || job === only)
        this.#waiting.get(job)?.guesses.push({ kind, at: now, expectedMs, actualMs: 0 })
  }

  #offer(job: string, of: LeaseOf): void {
    const machine = this.#machines.get(of.device)!
    const taken: Taken = { of, asked: this.#waiting.get(job)!, offeredAt: this.clock.now }
    machine.busy += 1
    this.clock.after(this.#random.between(5, 40), () => {
      this.#market.accepted(of)
      if (machine.isLoaded) this.#read(taken, machine)
      else this.#load(taken, machine)
    })
  }

  #load(taken: Taken, machine: Machine): void {
    const { load } = machine
    if (machine.loadedAt <= machine.usedAt) machine.loadedAt = this.clock.now + load!.ms * this.#factor(0.15)
    machine.usedAt = this.clock.now
    this.clock.after(machine.loadedAt - this.clock.now, () => {
      machine.isLoaded = true
      this.#announce(machine)
      this.#read({ ...taken, offeredAt: this.clock.now }, machine)
    })
  }

  #read(taken: Taken, machine: Machine): void {
    const { asked, offeredAt } = taken
    const readMs = machine.fixedMs + asked.ticket.promptSize * machine.msPerCharacter
    this.clock.after(readMs * this.#factor(0.2) * (1 + 0.1 * (machine.busy - 1)), () => {
      this.#first(asked)
      const { now } = this.clock
      this.#speak(taken, machine, 0, { readMs: now - offeredAt, firstEventAt: now })
    })
  }

  #first(asked: QueuedJob): void {
    this.#waiting.delete(asked.ticket.job)
    if (asked.guesses[0]!.at < WARM_UP_MS) return
    this.measured += 1
    for (const guess of asked.guesses) this.guesses.push({ ...guess, actualMs: this.clock.now - guess.at })
  }

  #speak(taken: Taken, machine: Machine, spoken: number, begun: Begun): void {
    const total = taken.asked.tokens
    const tokens = spoken + Math.min(total - spoken, spoken === 0 ? 1 : SPOKEN_TOKENS)
    const rest = total - tokens
    const next = Math.min(rest, SPOKEN_TOKENS)
    this.clock.after(next * machine.msPerToken * (1 + 0.1 * (machine.busy - 1)) * this.#factor(0.1), () => {
      if (rest > 0) this.#speak(taken, machine, tokens, begun)
      else this.#end(taken, machine, begun)
    })
  }

  #end({ of, asked }: Taken, machine: Machine, { readMs, firstEventAt }: Begun): void {
    const { now } = this.clock
    const { ticket, tokens } = asked
    machine.busy -= 1
    machine.usedAt = now
    const measured = { readMs, answerMs: now - firstEventAt, tokens }
    this.#market.ended(ticket, of, Math.ceil(ticket.promptSize / 4) + tokens, measured)
    if (machine.load !== undefined) this.clock.after(machine.load.idleMs, () => this.#unload(machine))
  }

  #unload(machine: Machine): void {
    if (machine.busy > 0 || this.clock.now - machine.usedAt < machine.load!.idleMs || !machine.isLoaded) return
    machine.isLoaded = false
    this.#announce(machine)
  }

  #announce({ id, slots, isLoaded, load }: Machine): void {
    const state = isLoaded ? 'loaded' : 'loadable'
    this.#market.report(id, { slots, state, ...(load !== undefined && { loadMs: load.announcedMs }) })
  }

  /** Real machines are never twice equally fast. */
  #factor(spread: number): number {
    return 1 - spread + 2 * spread * this.#random.fraction()
  }
}

export function summarize(guesses: readonly Pick<Guess, 'expectedMs' | 'actualMs'>[]): Errors {
  const errors = guesses.flatMap(({ expectedMs, actualMs }) =>
    expectedMs === undefined ? [] : [Math.abs(expectedMs - actualMs) / Math.max(FLOOR_MS, actualMs)],
  )
  errors.sort((one, other) => one - other)
  return { count: errors.length, median: errors[errors.length >> 1] ?? 0, unknown: guesses.length - errors.length }
}
