// Decides who is a member and who may act, without a clock or I/O. The database is the only place where the set of members changes: every
// change makes a new generation. One statement runs at a time: `begin` says which, `ended` takes its outcome. Heartbeats make hand-overs
// fast and keep owners going while the database is away; losing all of them costs only time.

import type { Member } from '../membership.ts'
import type { Heartbeat } from './heartbeat.ts'
import { Hearing } from './hearing.ts'
import { Lease } from './lease.ts'
import { Rights } from './rights.ts'
import type { ReplicaSnapshot } from '../../../store/store.ts'
import type { Outcome, Statement } from './statements.ts'
import type { Timing } from './timing.ts'
import { Verdict } from './verdict.ts'
import { View } from './view.ts'
import { Voice } from './voice.ts'
import { Watch } from './watch.ts'

export interface CoreOptions {
  id: string
  version: string
  timing: Timing
  /** Tests pass in broken ones. */
  parts?: Partial<CoreParts>
}

export interface CoreParts {
  hearing: Hearing
  lease: Lease
  rights: Rights
  verdict: Verdict
  watch: Watch
}

interface Running {
  statement: Statement
  startedAt: number
}

interface Joined {
  name: 'member'
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

/** Between two tries to join members of another version. */
const REFUSED_MS = 1_000

export class MembersCore {
  readonly #id: string
  readonly #version: string
  readonly #timing: Timing
  readonly #hearing: Hearing
  readonly #lease: Lease
  readonly #rights: Rights
  readonly #verdict: Verdict
  readonly #voice = new Voice()
  readonly #watch: Watch
  #state: State = { name: 'outside' }
  #isLeaving = false
  #running: Running | undefined
  #dueAt = -Infinity
  /** The database has something new since the running statement was sent. */
  #isHinted = false
  #answeredAt = -Infinity
  #hasFailed = false

  constructor({ id, version, timing, parts }: CoreOptions) {
    this.#id = id
    this.#version = version
    this.#timing = timing
    this.#hearing = parts?.hearing ?? new Hearing(timing)
    this.#lease = parts?.lease ?? new Lease(timing)
    this.#rights = parts?.rights ?? new Rights(id)
    this.#verdict = parts?.verdict ?? new Verdict(timing)
    this.#watch = parts?.watch ?? new Watch(timing)
  }

  /** Undefined unless this gateway is a member. */
  get number(): number | undefined {
    return this.#state.name === 'member' ? this.#state.number : undefined
  }

  get members(): readonly Member[] {
    return this.#state.name === 'member' ? this.#state.view.members : []
  }

  get owners(): readonly string[] {
    return this.#state.name === 'member' ? this.#state.view.owners : []
  }

  get isSetAside(): boolean {
    return this.members.some(({ id, isSetAside }) => id === this.#id && isSetAside)
  }

  /** Of the view that this gateway acts under; 0 if there is none. */
  get generation(): number {
    return this.#state.name === 'member' ? this.#state.view.generation : 0
  }

  /** Nobody acts under an older view than this gateway. */
  get isSettled(): boolean {
    return this.#state.name === 'member' && this.#rights.isSettled(this.#state.view)
  }

  get hasLeft(): boolean {
    return this.#state.name === 'left'
  }

  ownerOf(organization: string): string | undefined {
    return this.#state.name === 'member' ? this.#state.view.ownerOf(organization) : undefined
  }

  mayOwn(organization: string, now: number): boolean {
    return !this.#isLeaving && this.#rights.include(organization) && this.#lease.isValid(now)
  }

  hasLease(now: number): boolean {
    return this.#lease.isValid(now)
  }

  isWithoutDatabase(now: number): boolean {
    return this.#hasFailed || now - this.#answeredAt > this.#timing.absentMs
  }

  /** From when on `begin` may be called; undefined while a statement runs and after leaving. */
  get dueAt(): number | undefined {
    return this.#running || this.#state.name === 'left' ? undefined : this.#dueAt
  }

  get hasNews(): boolean {
    return this.#voice.hasNews
  }

  begin(now: number): Statement {
    this.#isHinted = false
    const statement = this.#choose(now)
    if (statement.name === 'renew') this.#lease.renewing(statement.peers)
    if (statement.name === 'remove') this.#watch.condemn(statement.rows)
    this.#running = { statement, startedAt: now }
    return statement
  }

  /** A failed statement may still take effect later, or have taken effect. */
  ended(outcome: Outcome, now: number): void {
    const { statement, startedAt } = this.#running!
    this.#running = undefined
    this.#hasFailed = outcome.name === 'failed'
    this.#dueAt = now
    switch (outcome.name) {
      case 'failed':
        this.#dueAt = now + this.#timing.retryMs
        // The row that it may have made is removed by others, as nobody renews it.
        if (this.#isLeaving && this.#state.name === 'outside') this.#state = { name: 'left' }
        return
      case 'joined':
        this.#answered(outcome.snapshot, startedAt, now)
        this.#state = {
          name: 'member',
          number: outcome.number,
          view: new View(outcome.snapshot),
          acknowledged: 0,
          turn: 0,
          hears: [],
        }
        return this.#voice.noteNews()
      case 'refused':
        this.#answered(outcome.snapshot, startedAt, now)
        this.#dueAt = now + REFUSED_MS
        return
      case 'renewed':
        this.#answered(outcome.snapshot, startedAt, now)
        if (statement.name === 'renew') this.#renewed(statement, outcome.snapshot, startedAt, now)
        return
      case 'gone':
        return this.#drop({ name: 'outside' })
      case 'removed':
        this.#answeredAt = now
        this.#voice.learn(outcome.generation)
        if (statement.name === 'remove') this.#watch.removed(statement.rows)
        return
      case 'set-aside':
        this.#answeredAt = now
        this.#verdict.startAnew()
        return this.#voice.learn(outcome.generation)
      case 'left':
        this.#voice.learn(outcome.generation)
        this.#voice.leave(this.heartbeat(now))
        return this.#drop({ name: 'left' })
      default:
        outcome satisfies never
    }
  }

  /** Undefined unless this gateway is a member. */
  heartbeat(now: number): Heartbeat | undefined {
    if (this.#state.name !== 'member') return this.#voice.takeFarewell()
    const { number, view, acknowledged } = this.#state
    const vouches = this.isWithoutDatabase(now) ? this.#vouch(view.others(number), now) : []
    const heartbeat = this.#voice.speak({ id: this.#id, number, acknowledged, vouches })
    this.#lease.heartbeatSent(heartbeat.sequence, now)
    return heartbeat
  }

  hear(heartbeat: Heartbeat, now: number): void {
    const last = this.#hearing.hear(heartbeat, now)
    if (heartbeat.id === this.#id || this.#state.name !== 'member') return
    for (const [number, sequence] of heartbeat.vouches)
      if (number === this.#state.number) this.#lease.vouched(heartbeat.number, sequence)
    const isHearingNew = this.#listHeard(this.#state, now).length !== this.#state.hears.length
    if (isHearingNew || this.#isNews(heartbeat, last, this.#state)) this.#hint(now)
  }

  /** The connection to the bus is gone. Saying so at once keeps members from moving organizations just when nobody can hear it. */
  busLost(now: number): void {
    if (this.#state.name !== 'member') return
    this.#hearing.lose(this.#state.number)
    this.#hint(now)
  }

  /** From now on this gateway owns nothing; the row goes with the next statement. */
  leave(now: number): void {
    this.#isLeaving = true
    this.#dueAt = now
    if (this.#state.name === 'outside' && !this.#running) this.#state = { name: 'left' }
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

  #choose(now: number): Statement {
    if (this.#state.name === 'member' && this.#isLeaving) return { name: 'leave', number: this.#state.number }
    const gone = this.#wasAway(now) ? [] : this.#watch.listGone({ id: this.#id, number: this.number }, now)
    if (gone.length > 0) return { name: 'remove', rows: gone }
    if (this.#state.name !== 'member') return { name: 'join', id: this.#id, version: this.#version }
    const decision = this.#wasAway(now) ? undefined : this.#verdict.decide(now)
    if (decision !== undefined) return { name: 'set-aside', ...decision }
    const { number, view } = this.#state
    this.#state.turn += 1
    this.#state.hears = this.#listHeard(this.#state, now)
    const { turn, hears } = this.#state
    return { name: 'renew', number, turn, acknowledged: view.generation, peers: view.others(number), hears }
  }

  #answered(snapshot: ReplicaSnapshot, startedAt: number, now: number): void {
    const { generation, rows } = snapshot
    if (this.#wasAway(startedAt)) {
      this.#watch.startAnew()
      this.#verdict.startAnew()
    }
    this.#answeredAt = now
    this.#voice.learn(generation)
    this.#watch.observe(rows, now)
    this.#verdict.observe(snapshot, now)
    this.#hearing.keep(new Set(rows.map(({ number }) => number)))
  }

  /** Whoever was away for a while first looks who else is there. */
  #wasAway(now: number): boolean {
    return now - this.#answeredAt > this.#timing.leaseMs / 2
  }

  #renewed(
    { number, acknowledged, peers }: Statement & { name: 'renew' },
    snapshot: ReplicaSnapshot,
    startedAt: number,
    now: number,
  ): void {
    if (this.#state.name !== 'member') return
    this.#lease.renewed(startedAt, peers)
    if (this.#state.acknowledged !== acknowledged) this.#voice.noteNews()
    this.#state.acknowledged = acknowledged
    if (snapshot.generation > acknowledged) return this.#takeUp(new View(snapshot))
    // A database that was restored from a backup has forgotten who is a member.
    if (snapshot.generation < acknowledged) return this.#drop({ name: 'outside' })
    const isAcknowledged = snapshot.rows.every((row) => row.number === number || row.acknowledged === acknowledged)
    if (isAcknowledged) this.#rights.settle(this.#state.view)
    if (this.#isHinted) return
    const goneAt = this.#watch.nextGoneAt({ id: this.#id, number })
    this.#dueAt = Math.min(now + this.#paceOf(this.#state.view), goneAt, this.#verdict.dueAt)
  }

  /** Those that nobody hears can't say on the bus that they have acknowledged a view. */
  #paceOf(view: View): number {
    const { renewMs, retryMs } = this.#timing
    return !this.#rights.isSettled(view) && view.members.some(({ isSetAside }) => isSetAside) ? retryMs : renewMs
  }

  #takeUp(view: View): void {
    if (this.#state.name !== 'member') return
    this.#rights.takeUp(view)
    this.#state = { ...this.#state, view }
  }

  #drop(state: State): void {
    this.#state = this.#isLeaving ? { name: 'left' } : state
    this.#rights.drop()
    this.#lease.drop()
  }

  #vouch(numbers: readonly number[], now: number): [number, number][] {
    return numbers.flatMap((number) => {
      const heard = this.#hearing.last(number)
      if (!heard || !this.#watch.mayVouchFor(number)) return []
      this.#watch.promise(number, now)
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
