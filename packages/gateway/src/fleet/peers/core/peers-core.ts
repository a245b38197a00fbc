// Decides which gateways are peers and who may act, without a clock or I/O. The database is the only place where the set of peers changes: every
// change makes a new generation. One query runs at a time: `begin` says which, `ended` takes its answer. Heartbeats make hand-overs
// fast and keep schedulers going while the database is away; losing all of them costs only time.

import type { Peer } from '../peers.ts'
import type { Heartbeat } from './heartbeat.ts'
import type { BusServer } from '../../../bus/bus.ts'
import type { Fence } from './fence.ts'
import type { Hearing } from './hearing.ts'
import type { Mandate } from './mandate.ts'
import type { CoreParts } from './parts.ts'
import type { Rights } from './rights.ts'
import type { PeerSnapshot } from '../../../store/peers.ts'
import type { Answer, Query } from './queries.ts'
import type { Timing } from './timing.ts'
import type { Session } from './session.ts'
import type { SetAside } from './set-aside.ts'
import { View } from './view.ts'
import { Voice } from './voice.ts'
import type { Removals, Self } from './removals.ts'

export interface CoreOptions {
  id: string
  version: string
  timing: Timing
  parts: CoreParts
}

interface Running {
  query: Query
  startedAt: number
  /** The connection to the bus at that time. */
  session: number
}

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

type State = { name: 'outside' } | Joined | { name: 'left' }

/** Between two tries to join peers of another version. */
const REFUSED_MS = 1_000

export class PeersCore {
  readonly #id: string
  readonly #version: string
  readonly #timing: Timing
  readonly #fence: Fence
  readonly #hearing: Hearing
  readonly #mandate: Mandate
  readonly #rights: Rights
  readonly #session: Session
  readonly #setAside: SetAside
  readonly #voice = new Voice()
  readonly #removals: Removals
  #state: State = { name: 'outside' }
  #isLeaving = false
  #running: Running | undefined
  #dueAt = -Infinity
  /** The database has something new since the running query was sent. */
  #isHinted = false
  #answeredAt = -Infinity
  #hasFailed = false

  constructor({ id, version, timing, parts }: CoreOptions) {
    this.#id = id
    this.#version = version
    this.#timing = timing
    this.#fence = parts.fence
    this.#hearing = parts.hearing
    this.#mandate = parts.mandate
    this.#rights = parts.rights
    this.#session = parts.session
    this.#setAside = parts.setAside
    this.#removals = parts.removals
  }

  /** Undefined unless this gateway has joined. */
  get number(): number | undefined {
    return this.#state.name === 'joined' ? this.#state.number : undefined
  }

  get all(): readonly Peer[] {
    return this.#state.name === 'joined' ? this.#state.view.all : []
  }

  get schedulers(): readonly string[] {
    return this.#state.name === 'joined' ? this.#state.view.schedulers : []
  }

  get isSetAside(): boolean {
    return this.all.some(({ id, isSetAside }) => id === this.#id && isSetAside)
  }

  /** Of the view that this gateway acts under; 0 if there is none. */
  get generation(): number {
    return this.#state.name === 'joined' ? this.#state.view.generation : 0
  }

  /** Nobody acts under an older view than this gateway. */
  get isSettled(): boolean {
    return this.#state.name === 'joined' && this.#rights.isSettled(this.#state.view)
  }

  get hasLeft(): boolean {
    return this.#state.name === 'left'
  }

  schedulerOf(organization: string): string | undefined {
    return this.#state.name === 'joined' ? this.#state.view.schedulerOf(organization) : undefined
  }

  maySchedule(organization: string, now: number): boolean {
    return !this.#isLeaving && this.#rights.include(organization) && this.#mandate.isValid(now)
  }

  hasMandate(now: number): boolean {
    return this.#mandate.isValid(now)
  }

  isWithoutDatabase(now: number): boolean {
    return this.#hasFailed || now - this.#answeredAt > this.#timing.absentMs
  }

  /** From when on `begin` may be called; undefined while a query runs and after leaving. */
  get dueAt(): number | undefined {
    return this.#running || this.#state.name === 'left' ? undefined : this.#dueAt
  }

  get hasNews(): boolean {
    return this.#voice.hasNews
  }

  begin(now: number): Query {
    this.#isHinted = false
    const query = this.#choose(now)
    if (query.name === 'renew') this.#mandate.renewing(query.peers)
    if (query.name === 'remove') this.#removals.condemn(query.rows)
    this.#running = { query, startedAt: now, session: this.#session.count }
    return query
  }

  /** A failed query may still take effect later, or have taken effect. */
  ended(answer: Answer, now: number): void {
    const { query, startedAt, session } = this.#running!
    this.#running = undefined
    this.#hasFailed = answer.name === 'failed'
    this.#dueAt = now
    switch (answer.name) {
      case 'failed':
        this.#dueAt = now + this.#timing.retryMs
        // The row that it may have made is removed by others, as nobody renews it.
        if (this.#isLeaving && this.#state.name === 'outside') this.#state = { name: 'left' }
        return
      case 'joined':
        this.#answered(answer.snapshot, startedAt, now)
        this.#state = {
          name: 'joined',
          number: answer.number,
          view: new View(answer.snapshot),
          acknowledged: 0,
          turn: 0,
          hears: [],
        }
        return this.#voice.noteNews()
      case 'refused':
        this.#answered(answer.snapshot, startedAt, now)
        this.#dueAt = now + REFUSED_MS
        return
      case 'renewed':
        this.#answered(answer.snapshot, startedAt, now)
        if (query.name === 'renew') this.#renewed(query, answer.snapshot, { startedAt, session }, now)
        return
      case 'gone':
        return this.#drop({ name: 'outside' })
      case 'removed':
        this.#answeredAt = now
        this.#voice.learn(answer.generation)
        if (query.name === 'remove') this.#removals.removed(query.rows)
        return
      case 'set-aside':
        this.#answeredAt = now
        this.#setAside.startAnew()
        return this.#voice.learn(answer.generation)
      case 'left':
        this.#voice.learn(answer.generation)
        this.#voice.leave(this.heartbeat(now))
        return this.#drop({ name: 'left' })
      default:
        answer satisfies never
    }
  }

  /** Undefined unless this gateway has joined. */
  heartbeat(now: number): Heartbeat | undefined {
    if (this.#state.name !== 'joined') return this.#voice.takeFarewell()
    const { number, view, acknowledged } = this.#state
    const vouches = this.isWithoutDatabase(now) ? this.#vouch(view.others(number), now) : []
    const claimed = this.#session.server ? this.#removals.listClaimable(this.#self, this.#session.server) : []
    const claims = claimed.map(({ number: other, turn }) => [other, turn] as const)
    const heartbeat = this.#voice.speak({ id: this.#id, number, acknowledged, vouches, claims })
    this.#mandate.heartbeatSent(heartbeat.sequence, now)
    this.#fence.sent(claimed, heartbeat.sequence)
    return heartbeat
  }

  hear(heartbeat: Heartbeat, now: number): void {
    const last = this.#hearing.hear(heartbeat, now)
    if (heartbeat.id === this.#id) return this.#heardOwn(heartbeat, now)
    if (this.#state.name !== 'joined') return
    for (const [number, turn] of heartbeat.claims) if (number === this.#state.number) this.#mandate.claimed(turn)
    for (const [number, sequence] of heartbeat.vouches)
      if (number === this.#state.number) this.#mandate.vouched(heartbeat.number, sequence)
    const isHearingNew = this.#listHeard(this.#state, now).length !== this.#state.hears.length
    if (isHearingNew || this.#isNews(heartbeat, last, this.#state)) this.#hint(now)
  }

  /** A new connection, even if nobody said that the one before it was lost. */
  busConnected(server: BusServer): void {
    this.#disconnected()
    this.#session.begin(server, this.#voice.nextSequence)
    if (this.#state.name === 'joined') this.#voice.noteNews()
  }

  /** The connection to the bus is gone. Saying so at once keeps peers from moving organizations just when nobody can hear it. */
  busLost(now: number): void {
    this.#disconnected()
    if (this.#state.name !== 'joined') return
    this.#hearing.lose(this.#state.number)
    this.#hint(now)
  }

  /** From now on this gateway schedules nothing; the row goes with the next query. */
  leave(now: number): void {
    this.#isLeaving = true
    this.#dueAt = now
    if (this.#state.name === 'outside' && !this.#running) this.#state = { name: 'left' }
  }

  /** It may have missed something from now on. */
  #disconnected(): void {
    this.#session.end()
    this.#fence.lose()
    this.#mandate.disconnected()
  }

  get #self(): Self {
    return { id: this.#id, number: this.number, fence: this.#fence }
  }

  #heardOwn({ sequence }: Heartbeat, now: number): void {
    if (this.#session.heardOwn(sequence)) this.#hint(now)
    if (this.#fence.heardOwn(sequence, now)) this.#voice.noteNews()
  }

  #listHeard({ number, view }: Joined, now: number): number[] {
    return this.#hearing.list([...view.others(number), number], number, now)
  }

  /** The database should be asked, or told something, at once. While it is away, the retries are enough. */
  #hint(now: number): void {
    if (this.#hasFailed) return
    this.#isHinted = true
    this.#dueAt = Math.min(this.#dueAt, now)
  }

  #choose(now: number): Query {
    if (this.#state.name === 'joined' && this.#isLeaving) return { name: 'leave', number: this.#state.number }
    const gone = this.#wasAway(now) ? [] : this.#removals.listGone(this.#self, now)
    if (gone.length > 0) return { name: 'remove', rows: gone }
    if (this.#state.name !== 'joined') return { name: 'join', id: this.#id, version: this.#version }
    const decision = this.#wasAway(now) ? undefined : this.#setAside.decide(now)
    if (decision !== undefined) return { name: 'set-aside', ...decision }
    const { number, view } = this.#state
    this.#state.turn += 1
    this.#state.hears = this.#listHeard(this.#state, now)
    const { turn, hears } = this.#state
    // Over a connection that is not proven, it could miss that others are about to remove it.
    const bus = this.#session.server ?? null
    const peers = bus ? view.others(number) : []
    return { name: 'renew', number, turn, acknowledged: view.generation, peers, bus, hears }
  }

  #answered(snapshot: PeerSnapshot, startedAt: number, now: number): void {
    const { generation, rows } = snapshot
    if (this.#wasAway(startedAt)) {
      this.#removals.startAnew()
      this.#setAside.startAnew()
    }
    this.#answeredAt = now
    this.#voice.learn(generation)
    this.#removals.observe(rows, now)
    this.#setAside.observe(snapshot, now)
    const numbers = new Set(rows.map(({ number }) => number))
    this.#hearing.keep(numbers)
    this.#fence.keep(numbers)
  }

  /** Whoever was away for a while first looks who else is there. */
  #wasAway(now: number): boolean {
    return now - this.#answeredAt > this.#timing.mandateMs / 2
  }

  #renewed(
    { number, turn, acknowledged, peers }: Query & { name: 'renew' },
    snapshot: PeerSnapshot,
    { startedAt, session }: Omit<Running, 'query'>,
    now: number,
  ): void {
    if (this.#state.name !== 'joined') return
    this.#mandate.renewed(startedAt, turn, session === this.#session.count ? peers : [])
    if (this.#state.acknowledged !== acknowledged) this.#voice.noteNews()
    this.#state.acknowledged = acknowledged
    if (snapshot.generation > acknowledged) return this.#takeUp(new View(snapshot))
    // A database that was restored from a backup has forgotten who has joined.
    if (snapshot.generation < acknowledged) return this.#drop({ name: 'outside' })
    const isAcknowledged = snapshot.rows.every((row) => row.number === number || row.acknowledged === acknowledged)
    if (isAcknowledged) this.#rights.settle(this.#state.view)
    if (this.#isHinted) return
    const goneAt = this.#removals.nextGoneAt(this.#self)
    this.#dueAt = Math.min(now + this.#paceOf(this.#state.view), goneAt, this.#setAside.dueAt)
  }

  /** Those that nobody hears can't say on the bus that they have acknowledged a view. */
  #paceOf(view: View): number {
    const { renewMs, retryMs } = this.#timing
    return !this.#rights.isSettled(view) && view.all.some(({ isSetAside }) => isSetAside) ? retryMs : renewMs
  }

  #takeUp(view: View): void {
    if (this.#state.name !== 'joined') return
    this.#rights.takeUp(view)
    this.#state = { ...this.#state, view }
  }

  #drop(state: State): void {
    this.#state = this.#isLeaving ? { name: 'left' } : state
    this.#rights.drop()
    this.#mandate.drop()
  }

  #vouch(numbers: readonly number[], now: number): [number, number][] {
    return numbers.flatMap((number) => {
      const heard = this.#hearing.last(number)
      if (!heard || !this.#removals.mayVouchFor(number)) return []
      this.#removals.promise(number, now)
      return [[number, heard.sequence] as [number, number]]
    })
  }

  /** A new generation, or the last acknowledgement that this gateway waits for: the database can tell it now. */
  #isNews(heartbeat: Heartbeat, last: Heartbeat | undefined, { number, view }: Joined): boolean {
    if (heartbeat.newest > view.generation) return heartbeat.newest > this.#voice.newest
    if (this.isSettled || (last && last.acknowledged >= view.generation)) return false
    return view.others(number).every((other) => (this.#hearing.last(other)?.acknowledged ?? 0) >= view.generation)
  }
}
