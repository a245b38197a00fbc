// Finds out how many jobs a server can take at once for one model, from how the jobs fare. Knows nothing of servers, clocks or links.
//
//   raised    while every slot has a job that gets text, to twice as many; kept if that makes the server faster as a whole
//   lowered   if the server isn't faster for it; if it says that jobs wait; or, if it doesn't say, if jobs got nothing while others were answered
//             from start to end
//
// After lowering, more are not tried for a while: the server's options, or what else it does, may have changed by then.

export interface LearnedSlotsOptions {
  /** Before anything is known. */
  start: number
  most: number
  /** The server says how many requests wait. */
  tells: boolean
  /** In milliseconds. */
  now: () => number
  onChange: () => void
}

/** A job at the server. */
export interface Turn {
  /** The server sent a piece of the answer. */
  piece(): void
  end(): void
}

/** What the server says of all its requests, also those of others. */
export interface ServerQueue {
  running: number
  waiting: number
}

interface Running {
  sentAt: number
  firstAt?: number
  /** The most jobs that got text at once while it did. */
  most: number
}

/** The time and the text that a speed is measured over, with all slots in use. */
const MEASURE_MS = 750
const MEASURE_PIECES = 32
/** Slots are given up only after so many times that: a busy machine is slow for a moment. */
const PATIENCE = 4
/** Twice as many slots have to make the server faster by this part. */
const GAIN = 0.05
/** So many jobs have to show that the server queues. */
const STRIKES = 3
/** An answer of this many times the shortest wait for a first piece is long enough to show it. */
const LONG = 3
const RETRY_MS = 300_000
/** Trying is cheap if the server says at once that it queues. */
const RETRY_TOLD_MS = 60_000

export class LearnedSlots {
  readonly #options: LearnedSlotsOptions
  readonly #running = new Set<Running>()
  #slots: number
  /** How many jobs got text at once, each time that others waited meanwhile. */
  #strikes: number[] = []
  /** The speed with these slots so far. */
  #measured = { ms: 0, pieces: 0 }
  #measuredAt = 0
  /** What the slots were raised from. */
  #before: { slots: number; speed: number } | undefined
  #ceiling: { slots: number; until: number } | undefined
  /** Jobs that get text. */
  #answered = 0
  #quickestMs = Number.POSITIVE_INFINITY
  #told: ServerQueue | undefined

  constructor(options: LearnedSlotsOptions) {
    this.#options = options
    this.#slots = Math.min(options.start, options.most)
  }

  get slots(): number {
    return this.#slots
  }

  get running(): number {
    return this.#running.size
  }

  begin(): Turn {
    this.#measure(0)
    const job: Running = { sentAt: this.#options.now(), most: 0 }
    this.#running.add(job)
    return {
      piece: () => this.#heard(job),
      end: () => this.#ended(job),
    }
  }

  /** Call this every few seconds if the server says it. */
  told(queue: ServerQueue): void {
    const before = this.#told
    this.#told = queue
    if (before === undefined || queue.waiting === 0 || before.waiting === 0) return
    // Requests that the server is still taking in are no queue.
    const isStuck = queue.running <= before.running && queue.waiting >= before.waiting
    const fitting = this.#running.size - queue.waiting
    if (isStuck && fitting < this.#slots) this.#lower(fitting)
  }

  #heard(job: Running): void {
    const now = this.#options.now()
    this.#measure(1)
    if (job.firstAt === undefined) {
      job.firstAt = now
      this.#quickestMs = Math.min(this.#quickestMs, now - job.sentAt)
      this.#answered += 1
      for (const other of this.#running) other.most = Math.max(other.most, this.#answered)
    }
    this.#judgeSpeed()
  }

  #ended(job: Running): void {
    this.#measure(0)
    if (!this.#running.delete(job) || job.firstAt === undefined) return
    this.#answered -= 1
    if (!this.#options.tells) this.#look(job.firstAt, job.most)
  }

  /** Others may have waited while a job got its answer, and `most` got text at once. */
  #look(firstAt: number, most: number): void {
    if (this.#options.now() - firstAt < this.#quickestMs * LONG) return
    const hasWaiting = [...this.#running].some((other) => other.firstAt === undefined && other.sentAt <= firstAt)
    if (hasWaiting && most < this.#slots) this.#strikes.push(most)
    else this.#strikes = []
    if (this.#strikes.length >= STRIKES) this.#lower(Math.max(...this.#strikes))
  }

  /** Time counts as long as all slots get text. */
  #measure(pieces: number): void {
    const now = this.#options.now()
    if (this.#answered >= this.#slots) {
      this.#measured.ms += now - this.#measuredAt
      this.#measured.pieces += pieces
    }
    this.#measuredAt = now
  }

  #judgeSpeed(): void {
    const { ms, pieces } = this.#measured
    const times = Math.min(ms / MEASURE_MS, pieces / MEASURE_PIECES)
    if (times < 1) return
    const speed = pieces / ms
    const before = this.#before
    const isWorth = before === undefined || speed >= before.speed * (1 + GAIN * (this.#slots / before.slots - 1))
    if (isWorth) this.#raise(speed)
    else if (times >= PATIENCE) this.#lower(before.slots)
  }

  #raise(speed: number): void {
    const { most, now } = this.#options
    if (this.#ceiling !== undefined && now() >= this.#ceiling.until) this.#ceiling = undefined
    const raised = Math.min(this.#slots * 2, most, this.#ceiling?.slots ?? most)
    this.#before = raised > this.#slots ? { slots: this.#slots, speed } : undefined
    if (raised > this.#slots) this.#set(raised)
    else this.#measured = { ms: 0, pieces: 0 }
  }

  #lower(slots: number): void {
    const lowered = Math.max(1, slots)
    const pauseMs = this.#options.tells ? RETRY_TOLD_MS : RETRY_MS
    this.#ceiling = { slots: lowered, until: this.#options.now() + pauseMs }
    this.#before = undefined
    this.#set(lowered)
  }

  #set(slots: number): void {
    this.#slots = slots
    this.#measured = { ms: 0, pieces: 0 }
    this.#strikes = []
    this.#options.onChange()
  }
}
