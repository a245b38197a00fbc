// The peers of a gateway in a real service: PostgreSQL decides, the bus makes it fast. All decisions are in core/.

import type { Bus } from '../../bus/bus.ts'
import { realClock, type Clock } from '../../time/clock.ts'
import type { PeerStore } from '../../store/peers.ts'
import { PeersCore } from './core/peers-core.ts'
import { runQuery, type QueryResult, type Query } from './core/queries.ts'
import { TIMING } from './core/timing.ts'
import type { View } from './core/view.ts'
import { encodeHeartbeat, HEARTBEATS, readHeartbeat } from './heartbeat.ts'
import { newGatewayId } from '../terms/gateway-id.ts'
import { shareEpochs } from './link-epochs.ts'
import { PeersNews, type PeersLog } from './peers-news.ts'
import type { Peers, PeersStatus } from './peers.ts'

export interface PeersOptions {
  store: PeerStore
  bus: Bus
  /** Of the messages between gateways. */
  version: string
  /** How long gateways continue without the database: as long as they know keys and models without it. */
  graceMs: number
  log: PeersLog
  clock?: Clock
  id?: string
}

/** After this a query counts as failed, even if the driver still waits. */
const QUERY_MS = 1_500
/** If the database doesn't answer in this time, the others find out on their own. */
const LEAVE_MS = 3_000

export class LivePeers implements Peers {
  readonly self: string
  readonly nextEpoch: () => Promise<number>
  readonly #core: PeersCore
  readonly #store: PeerStore
  readonly #bus: Bus
  readonly #clock: Clock
  readonly #news: PeersNews
  readonly #listeners = new Set<() => void>()
  readonly #unsubscribe: (() => void)[]
  readonly #left = Promise.withResolvers<void>()
  #attempt = 0
  #cancelDue = () => {}
  #cancelBeat = () => {}
  #seen = ''

  constructor({ store, bus, version, graceMs, log, clock = realClock, id = newGatewayId() }: PeersOptions) {
    this.self = id
    this.#core = new PeersCore({ id, version, timing: { ...TIMING, graceMs } })
    this.#store = store
    this.#bus = bus
    this.#clock = clock
    this.#news = new PeersNews(log, { gateway: id, version })
    this.nextEpoch = shareEpochs((count) => store.takeLinkEpochs(count))
    this.#unsubscribe = [
      bus.subscribe(HEARTBEATS, (payload) => this.#hear(payload)),
      bus.onState(() => this.#busChanged()),
    ]
    if (bus.server) this.#core.busConnected(bus.server)
    this.#run()
    this.#beatLater()
  }

  get view(): View {
    return this.#core.view
  }

  maySchedule(organization: string): boolean {
    return this.#core.maySchedule(organization, this.#clock.now())
  }

  onChange(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => void this.#listeners.delete(listener)
  }

  status(): PeersStatus {
    const now = this.#clock.now()
    const { isSettled } = this.#core
    return {
      hasLeadership: this.#core.hasLeadership(now),
      isSettled,
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

  #send(query: Query): void {
    const attempt = ++this.#attempt
    const end = (answer: QueryResult, error?: unknown) => {
      if (attempt !== this.#attempt) return
      this.#attempt += 1
      cancelTimeout()
      this.#ended(answer, error)
    }
    const cancelTimeout = this.#clock.after(QUERY_MS, () => end({ name: 'failed' }, 'no answer'))
    runQuery(this.#store, query).then(end, (error: unknown) => end({ name: 'failed' }, error))
  }

  #ended(answer: QueryResult, error: unknown): void {
    const now = this.#clock.now()
    this.#core.ended(answer, now)
    this.#news.ended(answer)
    // Before the next query acknowledges a new view: listeners stop what they no longer schedule.
    this.#look(error)
    this.#run()
  }

  #hear(payload: Uint8Array): void {
    const heartbeat = readHeartbeat(payload)
    if (!heartbeat) return
    this.#core.hear(heartbeat, this.#clock.now())
    this.#run()
  }

  #busChanged(): void {
    if (this.#bus.server) this.#core.busConnected(this.#bus.server)
    else this.#core.busLost(this.#clock.now())
    this.#run()
  }

  #beatLater(): void {
    this.#cancelBeat = this.#clock.after(TIMING.renewMs, () => {
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
  #look(error?: unknown): void {
    const now = this.#clock.now()
    this.#news.look(this.#core, now, error)
    const { number, view, isSettled, hasLeft } = this.#core
    const seen = `${number} ${view.generation} ${isSettled} ${hasLeft} ${this.#core.hasLeadership(now)}`
    if (seen === this.#seen) return
    this.#seen = seen
    for (const listener of this.#listeners) listener()
  }
}
