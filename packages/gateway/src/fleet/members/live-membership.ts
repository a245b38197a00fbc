// The membership of a gateway in a real service: PostgreSQL decides, the bus makes it fast. All decisions are in core/.

import { randomUUID } from 'node:crypto'
import type { Bus } from '../../bus/bus.ts'
import { realClock, type Clock } from '../../bus/clock.ts'
import type { ReplicaStore } from '../../store/store.ts'
import { MembersCore } from './core/members-core.ts'
import type { Outcome, Statement } from './core/statements.ts'
import { TIMING, type Timing } from './core/timing.ts'
import { encodeHeartbeat, HEARTBEATS, readHeartbeat } from './heartbeat-wire.ts'
import { LinkEpochs } from './link-epochs.ts'
import { MembershipNews, type MembershipLog } from './membership-log.ts'
import type { Member, Membership, MembershipStatus } from './membership.ts'
import { runStatement } from './run-statement.ts'

export interface MembershipOptions {
  store: ReplicaStore
  bus: Bus
  /** Of the messages between gateways. */
  version: string
  /** How long gateways go on without the database: as long as they know keys and models without it. */
  graceMs: number
  log: MembershipLog
  clock?: Clock
  id?: string
}

/** After this a statement counts as failed, even if the driver still waits. */
const STATEMENT_MS = 1_500
/** If the database doesn't answer, the others find out by themselves. */
const LEAVE_MS = 3_000

export class LiveMembership implements Membership {
  readonly self: string
  readonly #core: MembersCore
  readonly #store: ReplicaStore
  readonly #bus: Bus
  readonly #clock: Clock
  readonly #timing: Timing
  readonly #news: MembershipNews
  readonly #epochs: LinkEpochs
  readonly #listeners = new Set<() => void>()
  readonly #unsubscribe: (() => void)[]
  readonly #left = Promise.withResolvers<void>()
  #attempt = 0
  #cancelDue = () => {}
  #cancelBeat = () => {}
  #seen = ''

  constructor({ store, bus, version, graceMs, log, clock = realClock, id = randomUUID() }: MembershipOptions) {
    this.self = id
    this.#timing = { ...TIMING, graceMs }
    this.#core = new MembersCore({ id, version, timing: this.#timing })
    this.#store = store
    this.#bus = bus
    this.#clock = clock
    this.#news = new MembershipNews(log, { replica: id, version })
    this.#epochs = new LinkEpochs((count) => store.takeLinkEpochs(count))
    this.#unsubscribe = [
      bus.subscribe(HEARTBEATS, (payload) => this.#hear(payload)),
      bus.onState((isConnected) => (isConnected ? undefined : this.#busLost())),
    ]
    this.#run()
    this.#beatLater()
  }

  get members(): readonly Member[] {
    return this.#core.members
  }

  get owners(): readonly string[] {
    return this.#core.owners
  }

  get generation(): number {
    return this.#core.generation
  }

  ownerOf(organization: string): string | undefined {
    return this.#core.ownerOf(organization)
  }

  mayOwn(organization: string): boolean {
    return this.#core.mayOwn(organization, this.#clock.now())
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  nextEpoch(): Promise<number> {
    return this.#epochs.next()
  }

  status(): MembershipStatus {
    const now = this.#clock.now()
    return {
      self: this.self,
      members: this.#core.members.length,
      generation: this.#core.generation,
      isMember: this.#core.number !== undefined,
      isSetAside: this.#core.isSetAside,
      hasLease: this.#core.hasLease(now),
      isSettled: this.#core.isSettled,
      isWithoutDatabase: this.#core.isWithoutDatabase(now),
    }
  }

  async leave(): Promise<void> {
    this.#core.leave(this.#clock.now())
    this.#look()
    this.#run()
    const giveUp = this.#clock.after(LEAVE_MS, () => this.#left.resolve())
    await this.#left.promise
    giveUp()
    this.#stop()
  }

  #stop(): void {
    this.#attempt += 1
    this.#cancelDue()
    this.#cancelBeat()
    for (const unsubscribe of this.#unsubscribe) unsubscribe()
  }

  /** Does what is due, and sets the timer for the rest. */
  #run(): void {
    if (this.#core.hasNews) this.#beat()
    if (this.#core.hasLeft) this.#left.resolve()
    const { dueAt } = this.#core
    const now = this.#clock.now()
    this.#cancelDue()
    if (dueAt === undefined) return
    if (dueAt <= now) this.#send(this.#core.begin(now))
    else this.#cancelDue = this.#clock.after(Math.ceil(dueAt - now), () => this.#run())
  }

  #send(statement: Statement): void {
    const attempt = ++this.#attempt
    const end = (outcome: Outcome, error?: unknown) => {
      if (attempt !== this.#attempt) return
      this.#attempt += 1
      cancelTimeout()
      this.#ended(outcome, error)
    }
    const cancelTimeout = this.#clock.after(STATEMENT_MS, () => end({ name: 'failed' }, 'no answer'))
    runStatement(this.#store, statement).then(end, (error: unknown) => end({ name: 'failed' }, error))
  }

  #ended(outcome: Outcome, error: unknown): void {
    const now = this.#clock.now()
    this.#core.ended(outcome, now)
    this.#news.ended(outcome)
    if (outcome.name === 'failed') this.#news.failed(error, this.#core, now)
    // Before the next statement acknowledges a new view: listeners stop what they no longer own.
    this.#look()
    this.#run()
  }

  #hear(payload: Uint8Array): void {
    const heartbeat = readHeartbeat(payload)
    if (!heartbeat) return
    this.#core.hear(heartbeat, this.#clock.now())
    this.#run()
  }

  #busLost(): void {
    this.#core.busLost(this.#clock.now())
    this.#run()
  }

  #beatLater(): void {
    this.#cancelBeat = this.#clock.after(this.#timing.renewMs, () => {
      this.#beat()
      this.#look()
      this.#beatLater()
    })
  }

  #beat(): void {
    const heartbeat = this.#core.heartbeat(this.#clock.now())
    if (heartbeat && this.#bus.isConnected) this.#bus.publish(HEARTBEATS, encodeHeartbeat(heartbeat))
  }

  /** Tells listeners and the log what is new. */
  #look(): void {
    const now = this.#clock.now()
    this.#news.look(this.#core, now)
    const { number, generation, isSettled, hasLeft } = this.#core
    const seen = `${number} ${generation} ${isSettled} ${hasLeft} ${this.#core.hasLease(now)}`
    if (seen === this.#seen) return
    this.#seen = seen
    for (const listener of this.#listeners) listener()
  }
}
