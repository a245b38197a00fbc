// A device that answers with numbered tokens. It connects to any gateway, reconnects when its link breaks, and complains if it gets more
// jobs than it has slots.

import type { DeviceModel, GatewayFrame, JobAttempt } from '@hearth/protocol'
import { demand } from './violation.ts'
import { DeviceWire, type LinkListener } from './link.ts'
import type { World } from './world.ts'

/** Longer than the gateway takes between two pings. */
const SILENCE_MS = 8_000
const CHECK_MS = 1_000

type Fate = 'good' | 'refuse' | 'fail' | 'repeat' | 'skip'

interface Work extends JobAttempt {
  fate: Fate
  stepMs: number
  sequence: number
  /** The next token, and the number of all tokens. */
  next: number
  total: number
  reportsIds: boolean
  isPaused: boolean
  isOver: boolean
}

export class ScriptedDevice implements LinkListener {
  readonly id: string
  readonly organization: string
  readonly slots: number
  readonly #isResumable: boolean
  readonly #world: World
  #link: DeviceWire | undefined
  #isOpen = false
  #heardAt = 0
  readonly #working = new Map<string, Work>()
  readonly #started = new Set<string>()

  constructor(world: World, id: string, organization: string) {
    this.#world = world
    this.id = id
    this.organization = organization
    this.slots = world.random.between(1, 3)
    this.#isResumable = world.random.chance(0.6)
    this.#connectLater()
    this.#check()
  }

  get jobCount(): number {
    return this.#working.size
  }

  get isLinked(): boolean {
    return this.#isOpen
  }

  /** The network drops its link. */
  cut(): void {
    const { random } = this.#world
    const notice = () => (random.chance(0.2) ? undefined : random.pick([0, 50, 2_000]))
    this.#link?.cut(notice(), notice())
  }

  /** Its gateway is dead. */
  gatewayDied(): void {
    this.#link?.cut(this.#world.random.between(0, 1_000), undefined)
  }

  isOn(replica: object): boolean {
    return this.#link?.replica === replica
  }

  opened(link: DeviceWire): void {
    if (link !== this.#link) return
    this.#isOpen = true
    this.#heardAt = this.#world.clock.now
    link.say({ type: 'hello', protocols: [1], app: '1', boot: this.id, engine: 'scripted', models: [this.#model()] })
  }

  closed(link: DeviceWire): void {
    if (link !== this.#link) return
    this.#link = undefined
    this.#isOpen = false
    for (const work of this.#working.values()) work.isOver = true
    this.#working.clear()
    this.#connectLater()
  }

  heard(link: DeviceWire, frame: GatewayFrame): void {
    if (link !== this.#link) return
    this.#heardAt = this.#world.clock.now
    const work = 'job' in frame ? this.#working.get(keyOf(frame)) : undefined
    if (frame.type === 'ping') link.say({ type: 'pong' })
    if (frame.type === 'job-start') this.#start(frame)
    if (frame.type === 'job-cancel' && work) this.#stop(work)
    if (frame.type === 'job-pause' && work) work.isPaused = true
    if (frame.type === 'job-resume' && work) work.isPaused = false
  }

  #model(): DeviceModel {
    const { slots } = this
    const model: DeviceModel = { name: 'm', contextLength: 1_000, slots, features: [] }
    return this.#isResumable ? { ...model, features: ['resume'], digest: 'f1' } : model
  }

  #connectLater(): void {
    this.#world.clock.after(this.#world.random.between(20, 600), () => this.#connect())
  }

  #connect(): void {
    const replica = this.#world.balance()
    if (replica === undefined) return this.#connectLater()
    this.#heardAt = this.#world.clock.now
    this.#link = new DeviceWire(this.#world, replica, this)
    this.#link.open({ id: this.id, organization: this.organization, name: this.id })
  }

  #check(): void {
    this.#world.clock.after(CHECK_MS, () => {
      if (this.#link && this.#world.clock.now - this.#heardAt > SILENCE_MS) this.#link.drop()
      this.#check()
    })
  }

  #start({ job, attempt, request }: Extract<GatewayFrame, { type: 'job-start' }>): void {
    const key = keyOf({ job, attempt })
    const what = `attempt ${attempt} of ${job} on ${this.id}`
    this.#world.say(`${what} starts (${this.#working.size} of ${this.slots} slots taken)`)
    demand(!this.#started.has(key), () => `${what} starts twice`)
    demand(
      this.#working.size < this.slots,
      () => `${what} starts without a free slot: ${[...this.#working.keys()].join()} have them`,
    )
    this.#started.add(key)
    const { random, started, isCalm, isOrderly } = this.#world
    demand(!isOrderly || !started.has(job), () => `${what} starts, although nothing has happened to the one before`)
    started.add(job)
    const fate = isCalm || isOrderly ? 'good' : random.pick(FATES)
    const next = request?.recovery?.choices?.[0]?.tokens.length ?? 0
    const total = Number(request?.messages[0]?.content)
    const reportsIds = this.#isResumable && request?.recovery !== undefined
    const stepMs = random.pick([2, 10, 30, 120])
    const work = { job, attempt, fate, stepMs, sequence: 0, next, total, reportsIds, isPaused: false, isOver: false }
    this.#working.set(key, work)
    this.#later(work, random.between(1, 40), () => this.#accept(work))
  }

  #accept(work: Work): void {
    const { job, attempt, fate } = work
    if (fate === 'refuse') return this.#end(work, { type: 'job-refuse', job, attempt, reason: 'busy' })
    this.#link?.say({ type: 'job-accept', job, attempt })
    this.#goOn(work)
  }

  #goOn(work: Work): void {
    this.#later(work, work.stepMs, () => {
      if (!work.isPaused) this.#step(work)
      this.#goOn(work)
    })
  }

  #step(work: Work): void {
    const { job, attempt, sequence, next, total, fate } = work
    const isTrouble = next === Math.floor(total / 2)
    if (next >= total) return this.#end(work, { type: 'job-end', job, attempt, sequence, finishes: ['stop'] })
    if (isTrouble && fate === 'fail')
      return this.#end(work, {
        type: 'job-error',
        job,
        attempt,
        code: 'failed',
        message: 'broken',
        retryable: true,
        crashed: false,
      })
    work.next += 1
    work.sequence += 1
    for (let copy = copies(isTrouble, fate); copy > 0; copy--)
      this.#link?.say({
        type: 'job-delta',
        job,
        attempt,
        sequence,
        choice: 0,
        text: `${next} `,
        tokens: 1,
        ...(work.reportsIds && { ids: [next] }),
      })
  }

  #stop(work: Work): void {
    const { job, attempt } = work
    work.isOver = true
    this.#world.clock.after(this.#world.random.between(1, 30), () => {
      if (this.#working.get(keyOf(work)) === work) this.#end(work, { type: 'job-cancelled', job, attempt })
    })
  }

  #end(work: Work, frame: Parameters<DeviceWire['say']>[0]): void {
    work.isOver = true
    this.#working.delete(keyOf(work))
    this.#link?.say(frame)
  }

  #later(work: Work, ms: number, act: () => void): void {
    this.#world.clock.after(ms, () => {
      if (!work.isOver) act()
    })
  }
}

const FATES: readonly Fate[] = [
  ...Array.from({ length: 20 }, () => 'good' as const),
  'refuse',
  'fail',
  'repeat',
  'skip',
]

function copies(isTrouble: boolean, fate: Fate): number {
  if (!isTrouble) return 1
  return fate === 'repeat' ? 2 : fate === 'skip' ? 0 : 1
}

function keyOf({ job, attempt }: JobAttempt): string {
  return `${job} ${attempt}`
}
