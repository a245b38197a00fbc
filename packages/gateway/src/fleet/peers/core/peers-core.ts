// Decides which gateways are peers and who may act, without a clock or I/O. The database is the only place where the set of peers changes: every
// change makes a new generation. One query runs at a time: `begin` says which, `ended` takes its answer. Heartbeats make hand-overs
// fast and keep schedulers going while the database is away; losing all of them costs only time.

import type { Heartbeat } from '../heartbeat.ts'
import type { BusServer } from '../../../bus/bus.ts'
import type { PeerSnapshot } from '../../../store/peers.ts'
import { Fence } from './fence.ts'
import { Liveness } from './liveness.ts'
import { Leadership } from './leadership.ts'
import type { QueryResult, Query } from './queries.ts'
import { Removals } from './removals.ts'
import { BusSession } from './bus-session.ts'
import { Isolation } from './isolation.ts'
import type { Timing } from './timing.ts'
import { NO_VIEW, Rights, View } from './view.ts'

export interface CoreOptions {
  id: string
  version: string
  timing: Timing
}

/** Where a gateway stands: outside, joined under a view, or gone for good. */
type Standing = { name: 'outside' } | Joined | { name: 'left' }

interface Joined {
  name: 'joined'
  number: number
  /** The view that it acts under. */
  view: View
  /** The newest generation that the database has its acknowledgement of. */
  acknowledged: number
  turn: number
  /** Whom it heard at the last renewal. */
  hears: readonly number[]
}

/** A query that has no answer yet. */
interface Running {
  query: Query
  startedAt: number
  /** The connection to the bus has broken since. */
  isCutOff: boolean
}

/** Between two tries to join peers of another version. */
const REFUSED_MS = 1_000

export class PeersCore {
  readonly #id: string
  readonly #version: string
  readonly #timing: Timing
  /** The rules that it combines. Each part knows one of them. */
  readonly parts: ReturnType<typeof createParts>
  /** Others should get a heartbeat at once. */
  hasNews = false
  /** Of its heartbeats. */
  #sequence = 0
  /** The newest generation that this gateway knows to exist. */
  #newest = 0
  /** The last words of a gateway that has left. */
  #farewell: Heartbeat | undefined
  /** When the database answered, by this gateway's own clock. */
  #answeredAt = -Infinity
  /** The last query failed. */
  #hasFailed = false
  #state: Standing = { name: 'outside' }
  #isLeaving = false
  #running: Running | undefined
  #dueAt = -Infinity
  /** The database has something new since the running query was sent. */
  #isHinted = false

  constructor({ id, version, timing }: CoreOptions) {
    this.#id = id
    this.#version = version
    this.#timing = timing
    this.parts = createParts(id, timing)
  }

  /** Undefined unless this gateway has joined. */
  get number(): number | undefined {
    return this.#state.name === 'joined' ? this.#state.number : undefined
  }

  /** The one that this gateway acts under. */
  get view(): View {
    return this.#state.name === 'joined' ? this.#state.view : NO_VIEW
  }

  /** Nobody acts under an older view than this gateway. */
  get isSettled(): boolean {
    return this.#state.name === 'joined' && this.parts.rights.isSettled(this.#state.view)
  }

  get hasLeft(): boolean {
    return this.#state.name === 'left'
  }

  maySchedule(organization: string, now: number): boolean {
    return !this.#isLeaving && this.parts.rights.include(organization) && this.parts.leadership.isValid(now)
  }

  hasLeadership(now: number): boolean {
    return this.parts.leadership.isValid(now)
  }

  isWithoutDatabase(now: number): boolean {
    return this.#hasFailed || now - this.#answeredAt > this.#timing.absentMs
  }

  /** Whoever was away for a while first looks who else is there. */
  #wasAway(now: number): boolean {
    return now - this.#answeredAt > this.#timing.leadershipMs / 2
  }

  /** From when on `begin` may be called; undefined while a query runs and after leaving. */
  get dueAt(): number | undefined {
    return this.#running || this.#state.name === 'left' ? undefined : this.#dueAt
  }

  begin(now: number): Query {
    this.#isHinted = false
    const query = this.#choose(now)
    if (query.name === 'renew') this.parts.leadership.renewing(query.peers)
    if (query.name === 'remove') this.parts.removals.condemn(query.rows)
    this.#running = { query, startedAt: now, isCutOff: false }
    return query
  }

  /** A failed query may still take effect later, or have taken effect. */
  ended(answer: QueryResult, now: number): void {
    if (this.#running === undefined) return
    const running = this.#running
    const { query, startedAt } = running
    this.#running = undefined
    this.#hasFailed = answer.name === 'failed'
    this.#dueAt = now
    switch (answer.name) {
      case 'failed':
        return this.#failed(now)
      case 'joined':
        this.#learn(answer.snapshot, startedAt, now)
        return this.#join(answer.number, new View(answer.snapshot))
      case 'refused':
        this.#learn(answer.snapshot, startedAt, now)
        this.#dueAt = now + REFUSED_MS
        return
      case 'renewed':
        this.#learn(answer.snapshot, startedAt, now)
        return this.#renewed(running, answer.snapshot, now)
      case 'gone':
        return this.#drop({ name: 'outside' })
      case 'removed':
        this.#answeredAt = now
        this.#noteGeneration(answer.generation)
        if (query.name === 'remove') this.parts.removals.removed(query.rows)
        return
      case 'isolated':
        this.#answeredAt = now
        this.parts.isolated.startAnew()
        return this.#noteGeneration(answer.generation)
      case 'left':
        this.#noteGeneration(answer.generation)
        this.#farewell = this.heartbeat(now)
        this.hasNews = true
        return this.#drop({ name: 'left' })
      default:
        answer satisfies never
    }
  }

  /** Undefined unless this gateway has joined. After it has left, its last words. */
  heartbeat(now: number): Heartbeat | undefined {
    this.hasNews = false
    if (this.#state.name !== 'joined') return this.#farewell
    const { number, view, acknowledged } = this.#state
    const vouches = this.isWithoutDatabase(now)
      ? this.parts.removals.vouch(view.others(number), this.parts.hearing, now)
      : []
    const { server } = this.parts.session
    const claimed = server ? this.parts.removals.listClaimable(number, server) : []
    const sequence = (this.#sequence += 1)
    this.parts.leadership.heartbeatSent(sequence, now)
    this.parts.fence.sent(claimed, sequence)
    const claims = claimed.map((row): [number, number] => [row.number, row.turn])
    return { id: this.#id, number, acknowledged, vouches, claims, sequence, newest: this.#newest }
  }

  #noteGeneration(generation: number): void {
    if (generation <= this.#newest) return
    this.#newest = generation
    this.hasNews = true
  }

  hear(heartbeat: Heartbeat, now: number): void {
    const last = this.parts.hearing.hear(heartbeat, now)
    if (heartbeat.id === this.#id) return this.#heardOwn(heartbeat, now)
    if (this.#state.name !== 'joined') return
    for (const [number, turn] of heartbeat.claims)
      if (number === this.#state.number) this.parts.leadership.claimed(turn)
    for (const [number, sequence] of heartbeat.vouches)
      if (number === this.#state.number) this.parts.leadership.vouched(heartbeat.number, sequence)
    const isLivenessNew = this.#listHeard(this.#state, now).length !== this.#state.hears.length
    if (isLivenessNew || this.#isNews(heartbeat, last, this.#state)) this.#hint(now)
  }

  /** A new connection, even if nobody said that the one before it was lost. */
  busConnected(server: BusServer): void {
    this.#disconnected()
    this.parts.session.begin(server, this.#sequence + 1)
    if (this.#state.name === 'joined') this.hasNews = true
  }

  /** The connection to the bus is gone. Saying so at once keeps peers from moving organizations just when nobody can hear it. */
  busLost(now: number): void {
    this.#disconnected()
    if (this.#state.name !== 'joined') return
    this.parts.hearing.lose(this.#state.number)
    this.#hint(now)
  }

  /** From now on this gateway schedules nothing; the row goes with the next query. */
  leave(now: number): void {
    this.#isLeaving = true
    this.#dueAt = now
    if (this.#state.name === 'outside' && !this.#running) this.#state = { name: 'left' }
  }

  /** From now on this gateway may miss messages. */
  #disconnected(): void {
    if (this.#running) this.#running.isCutOff = true
    this.parts.session.end()
    this.parts.fence.lose()
    this.parts.leadership.disconnected()
  }

  #heardOwn({ sequence }: Heartbeat, now: number): void {
    if (this.parts.session.heardOwn(sequence)) this.#hint(now)
    if (this.parts.fence.heardOwn(sequence, now)) this.hasNews = true
  }

  #listHeard({ number, view }: Joined, now: number): number[] {
    return this.parts.hearing.list([...view.others(number), number], number, now)
  }

  /** The database should be asked, or told something, at once. While it is away, the retries are enough. */
  #hint(now: number): void {
    if (this.#hasFailed) return
    this.#isHinted = true
    this.#dueAt = Math.min(this.#dueAt, now)
  }

  #choose(now: number): Query {
    if (this.#state.name === 'joined' && this.#isLeaving) return { name: 'leave', number: this.#state.number }
    const gone = this.#wasAway(now) ? [] : this.parts.removals.listGone(this.number, now)
    if (gone.length > 0) return { name: 'remove', rows: gone }
    if (this.#state.name !== 'joined') return { name: 'join', id: this.#id, version: this.#version }
    const decision = this.#wasAway(now) ? undefined : this.parts.isolated.decide(now)
    if (decision !== undefined) return { name: 'isolated', ...decision }
    const { number, view } = this.#state
    this.#state.turn += 1
    this.#state.hears = this.#listHeard(this.#state, now)
    const { turn, hears } = this.#state
    // Over a connection that is not proven, it could miss that others are about to remove it.
    const bus = this.parts.session.server ?? null
    const peers = bus ? view.others(number) : []
    return { name: 'renew', number, turn, acknowledged: view.generation, peers, bus, hears }
  }

  #failed(now: number): void {
    this.#dueAt = now + this.#timing.retryMs
    // The row that it may have made is removed by others, as nobody renews it.
    if (this.#isLeaving && this.#state.name === 'outside') this.#state = { name: 'left' }
  }

  #join(number: number, view: View): void {
    this.#state = { name: 'joined', number, view, acknowledged: 0, turn: 0, hears: [] }
    this.hasNews = true
  }

  #learn(snapshot: PeerSnapshot, startedAt: number, now: number): void {
    const isAnew = this.#wasAway(startedAt)
    if (isAnew) this.parts.isolated.startAnew()
    this.#answeredAt = now
    this.#noteGeneration(snapshot.generation)
    const { removals, isolated, hearing, fence } = this.parts
    removals.observe(snapshot.rows, now, isAnew)
    isolated.observe(snapshot, now)
    const numbers = new Set(snapshot.rows.map(({ number }) => number))
    hearing.keep(numbers)
    fence.keep(numbers)
  }

  #renewed({ query, startedAt, isCutOff }: Running, snapshot: PeerSnapshot, now: number): void {
    if (query.name !== 'renew' || this.#state.name !== 'joined') return
    const { number, turn, acknowledged, peers } = query
    this.parts.leadership.renewed(startedAt, turn, isCutOff ? [] : peers)
    if (this.#state.acknowledged !== acknowledged) this.hasNews = true
    this.#state.acknowledged = acknowledged
    if (snapshot.generation > acknowledged) {
      this.#state.view = new View(snapshot)
      return this.parts.rights.takeUp(this.#state.view)
    }
    // A database that was restored from a backup has forgotten who has joined.
    if (snapshot.generation < acknowledged) return this.#drop({ name: 'outside' })
    if (snapshot.rows.every((row) => row.number === number || row.acknowledged === acknowledged))
      this.parts.rights.settle(this.#state.view)
    if (this.#isHinted) return
    const { view } = this.#state
    // Those that nobody hears can't say on the bus that they have acknowledged a view.
    const isQuick = !this.isSettled && view.all.some(({ isIsolated }) => isIsolated)
    const renewAt = now + (isQuick ? this.#timing.retryMs : this.#timing.renewMs)
    this.#dueAt = Math.min(renewAt, this.parts.removals.nextGoneAt(number), this.parts.isolated.dueAt)
  }

  #drop(state: Standing): void {
    this.#state = this.#isLeaving ? { name: 'left' } : state
    this.parts.rights.drop()
    this.parts.leadership.drop()
  }

  /** A new generation, or the last acknowledgement that this gateway waits for: the database can tell it now. */
  #isNews(heartbeat: Heartbeat, last: Heartbeat | undefined, { number, view }: Joined): boolean {
    if (heartbeat.newest > view.generation) return heartbeat.newest > this.#newest
    if (this.isSettled || (last && last.acknowledged >= view.generation)) return false
    return view.others(number).every((other) => (this.parts.hearing.last(other)?.acknowledged ?? 0) >= view.generation)
  }
}

function createParts(id: string, timing: Timing) {
  const fence = new Fence()
  return {
    fence,
    hearing: new Liveness(timing),
    leadership: new Leadership(timing),
    rights: new Rights(id),
    session: new BusSession(),
    isolated: new Isolation(timing),
    removals: new Removals(timing, id, fence),
  }
}
