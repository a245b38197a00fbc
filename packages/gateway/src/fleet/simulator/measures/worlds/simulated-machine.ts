// A device of a world, on a virtual clock: what runs on it, what waits for it alone, and when all of that ends.

import { paceOf, type Machine, type WorldRequest } from './worlds.ts'

/** What became of a request. */
export interface PlacedRequest {
  request: WorldRequest
  firstAt?: number
  endAt?: number
  /** Its place in the world. */
  device?: number
  /** Characters of the prompt that the device didn't hold. */
  read?: number
}

interface Running {
  job: PlacedRequest
  readMs: number
  /** All answers of a device advance alike, so parts of tokens count. */
  tokens: number
}

/** Less is what rounding leaves. */
const NOTHING = 1e-9

export class SimulatedMachine {
  readonly machine: Machine
  now = 0
  lastJobAt = -1
  #running: Running[] = []
  #line: Running[] = []
  /** It forgets no conversation. */
  readonly #held = new Set<number>()

  constructor(machine: Machine) {
    this.machine = machine
  }

  get taken(): number {
    return this.#running.length + this.#line.length
  }

  get hasFree(): boolean {
    return this.taken < this.machine.slots
  }

  /** The job runs here, once a slot is free. */
  add(job: PlacedRequest): void {
    this.lastJobAt = this.now
    job.read = this.#unread(job.request)
    this.#line.push(this.#begin(job))
    for (const { hash } of job.request.prefixes) this.#held.add(hash)
    this.#fill()
  }

  /** When the request would end here if nothing else came. */
  endOf(request: WorldRequest): number {
    const copy = new SimulatedMachine(this.machine)
    const job: PlacedRequest = { request }
    copy.now = this.now
    copy.#running = this.#running.map(copyOf)
    copy.#line = [...this.#line.map(copyOf), this.#begin(job)]
    copy.#fill()
    while (job.endAt === undefined) copy.pass(copy.next)
    return job.endAt
  }

  /** When the next job has read its prompt or ends; infinite if none runs. */
  get next(): number {
    const pace = this.#pace
    const left = this.#running.map(({ readMs, tokens }) => (readMs > 0 ? readMs : tokens * pace))
    return this.now + Math.min(...left)
  }

  /** Moves on to a time that is not after `next`. */
  pass(until: number): void {
    const ms = until - this.now
    const tokens = ms / this.#pace
    this.now = until
    for (const each of this.#running)
      if (each.readMs > 0) each.readMs = rest(each.readMs - ms)
      else each.tokens = rest(each.tokens - tokens)
    this.#noteFirst()
    for (const { job, tokens } of this.#running) if (tokens === 0) job.endAt = until
    this.#running = this.#running.filter(({ tokens }) => tokens > 0)
    this.#fill()
  }

  /** The time for a token now. */
  get #pace(): number {
    return paceOf(this.machine, Math.max(1, this.#running.filter(({ readMs }) => readMs === 0).length))
  }

  #begin(job: PlacedRequest): Running {
    const readMs = this.#unread(job.request) * this.machine.msPerCharacter
    return { job, readMs, tokens: job.request.tokens }
  }

  #unread({ promptSize, prefixes }: WorldRequest): number {
    return promptSize - (prefixes.findLast(({ hash }) => this.#held.has(hash))?.size ?? 0)
  }

  #fill(): void {
    this.#running.push(...this.#line.splice(0, this.machine.slots - this.#running.length))
    this.#noteFirst()
  }

  /** Those that have read their prompt write: it may be empty. */
  #noteFirst(): void {
    for (const { job, readMs } of this.#running) if (readMs === 0) job.firstAt ??= this.now + this.#pace
  }
}

function copyOf(running: Running): Running {
  return { ...running, job: { ...running.job } }
}

function rest(left: number): number {
  return left < NOTHING ? 0 : left
}
