// The organizations that this gateway schedules. One that it takes over is opened when all gateways have stated what they know of it, so that
// no slot is given twice and no waiting job loses its place. Until then, what comes in waits.

import type { Clock } from '../../time/clock.ts'
import { SchedulerCore } from './core/scheduler-core.ts'
import type { SchedulerStats } from './core/stats.ts'
import type { SchedulerLimits } from './core/types.ts'
import type { Peers } from '../peers/peers.ts'
import { addCounts, addStats, NO_COUNTS, type Counts } from './add-stats.ts'
import { Desk } from './desk.ts'
import type { DeskMessage, JobForecast, Message, Statement } from '../terms/messages.ts'

export interface SchedulerOptions {
  peers: Peers
  limits: SchedulerLimits
  clock: Clock
  /** A direct call if the receiver is this gateway. */
  send: (to: string, message: Message) => void
  isReachable: (peer: string) => boolean
}

/** The organizations that this gateway schedules. */
export interface SchedulingStats {
  organizations: number
  /** Those that it took over from another gateway, since the start. */
  takenOver: number
}

/** An organization that is about to be opened. */
interface Gathering {
  /** Of the newest view in which somebody took this gateway for the scheduler. */
  generation: number
  since: number
  statements: Map<string, Statement>
  waiting: { from: string; message: DeskMessage }[]
}

/** The scheduler waits this long for a gateway that it can't reach, and not at all if all agree that it is cut off. */
const GATHERING_MS = 5_000

export class Scheduler {
  readonly #options: SchedulerOptions
  readonly #desks = new Map<string, Desk>()
  readonly #gathering = new Map<string, Gathering>()
  /** The generation up to which each gateway has stated everything. */
  readonly #stated = new Map<string, number>()
  /** The newest view that each gateway has spoken under. */
  readonly #views = new Map<string, number>()
  /** The organizations that each gateway has stated since it last said that this is all. */
  readonly #named = new Map<string, Set<string>>()
  #takenOver = 0
  /** The counts of desks that are gone. */
  #past: Counts = NO_COUNTS

  constructor(options: SchedulerOptions) {
    this.#options = options
  }

  scheduling(): SchedulingStats {
    return { organizations: this.#desks.size, takenOver: this.#takenOver }
  }

  stats(): SchedulerStats {
    return addStats(
      [...this.#desks.values()].map((desk) => desk.stats()),
      this.#past,
    )
  }

  statsOf(organization: string): SchedulerStats | undefined {
    return this.#desks.get(organization)?.stats()
  }

  has(organization: string): boolean {
    return this.#desks.has(organization)
  }

  /** Of the jobs of a key that wait here. */
  forecasts(key: string): JobForecast[] {
    return [...this.#desks.values()].flatMap((desk) => desk.forecasts(key))
  }

  /** The models that take jobs, by organization. */
  *served(): Generator<readonly [organization: string, models: readonly string[]]> {
    for (const [organization, desk] of this.#desks) yield [organization, desk.served]
  }

  take(from: string, organization: string, message: DeskMessage): void {
    const desk = this.#deskFor(organization)
    if (desk === undefined) return void this.#gather(from, organization)?.waiting.push({ from, message })
    desk.take(from, message)
    if (desk.isIdle) this.#drop(organization)
  }

  state(from: string, { generation, statement }: { generation: number; statement: Statement }): void {
    const { organization } = statement
    this.#views.set(from, generation)
    this.#named.set(from, (this.#named.get(from) ?? new Set()).add(organization))
    const desk = this.#desks.get(organization)
    if (desk !== undefined) return this.#ask(organization, desk, (open) => open.state([[from, statement]]))
    const gathering = this.#gather(from, organization)
    if (gathering === undefined) return
    leaveOut(from, gathering)
    gathering.statements.set(from, statement)
  }

  /** The gateway has stated everything that it knows, as of this generation. */
  stated(from: string, { generation, isAll }: { generation: number; isAll: boolean }): void {
    const named = this.#named.get(from)
    this.#named.delete(from)
    this.#stated.set(from, generation)
    this.#views.set(from, generation)
    if (isAll) this.#clear(from, (organization) => named?.has(organization) !== true)
    this.openReady()
  }

  /** The link is fresh: the gateway states everything again. */
  linkUp(peer: string): void {
    this.#named.delete(peer)
  }

  /** The gateway has nothing of these organizations any more. */
  #clear(from: string, isOver: (organization: string) => boolean): void {
    for (const [organization, desk] of this.#desks)
      if (isOver(organization))
        this.#ask(organization, desk, (open) => open.state([[from, { organization, jobs: [], devices: [] }]]))
    for (const [organization, gathering] of this.#gathering) if (isOver(organization)) leaveOut(from, gathering)
  }

  /** The peers have changed: stops what it no longer schedules. Those that are gone take their jobs and devices with them. */
  peersChanged(gone: readonly string[]): void {
    const { peers } = this.#options
    for (const [organization] of this.#desks) if (!this.#isMine(organization)) this.#drop(organization)
    // This gateway was removed. Statements that it heard as a peer are no longer true when it joins again.
    if (peers.all.length === 0) this.#gathering.clear()
    for (const [organization, { generation }] of this.#gathering)
      if (!this.#isMine(organization) && generation <= peers.generation) this.#gathering.delete(organization)
    for (const peer of gone) this.lost(peer)
    this.openReady()
  }

  /** Opens the organizations that are ready, and continues those that waited for a mandate. */
  openReady(): void {
    for (const desk of this.#desks.values()) desk.resume()
    for (const [organization, gathering] of this.#gathering)
      if (this.#isReady(organization, gathering.since)) this.#open(organization, gathering)
  }

  close(): void {
    for (const desk of this.#desks.values()) desk.close()
    this.#desks.clear()
    this.#gathering.clear()
  }

  /** The gateway is gone, with its jobs and devices. */
  lost(peer: string): void {
    this.#stated.delete(peer)
    this.#views.delete(peer)
    this.#named.delete(peer)
    for (const gathering of this.#gathering.values()) leaveOut(peer, gathering)
    for (const [organization, desk] of this.#desks) this.#ask(organization, desk, (open) => open.lost(peer))
  }

  #ask(organization: string, desk: Desk, action: (desk: Desk) => void): void {
    action(desk)
    if (desk.isIdle) this.#drop(organization)
  }

  #drop(organization: string): void {
    const desk = this.#desks.get(organization)
    if (desk === undefined) return
    this.#desks.delete(organization)
    this.#past = addCounts(this.#past, desk.stats())
    desk.close()
    if (desk.served.length > 0) this.#tellServed(organization, [])
  }

  /** A desk for an organization that nobody has said anything about opens at once. */
  #deskFor(organization: string): Desk | undefined {
    const desk = this.#desks.get(organization)
    if (desk !== undefined || this.#gathering.has(organization)) return desk
    return this.#isReady(organization, this.#options.clock.now()) ? this.#create(organization) : undefined
  }

  // A message from a gateway that hasn't heard of the newest view yet is for the scheduler before: it will be stated again. One from a gateway
  // that knows a newer view waits for it.
  #gather(from: string, organization: string): Gathering | undefined {
    const { peers, clock } = this.#options
    const generation = this.#views.get(from) ?? 0
    if (!this.#isMine(organization) && generation <= peers.generation) return undefined
    const known = this.#gathering.get(organization)
    const gathering = known ?? { generation, since: clock.now(), statements: new Map(), waiting: [] }
    gathering.generation = Math.max(gathering.generation, generation)
    this.#gathering.set(organization, gathering)
    return gathering
  }

  #isMine(organization: string): boolean {
    const { peers } = this.#options
    return peers.schedulerOf(organization) === peers.self
  }

  #isReady(organization: string, since: number): boolean {
    return this.#options.peers.maySchedule(organization) && this.haveAllStated(since)
  }

  haveAllStated(since: number): boolean {
    const { peers, clock, isReachable } = this.#options
    const isLate = clock.now() - since >= GATHERING_MS
    const hasStated = (id: string) => (this.#stated.get(id) ?? 0) >= peers.generation
    return peers.all.every(({ id, isSetAside }) => hasStated(id) || (!isReachable(id) && (isLate || isSetAside)))
  }

  #open(organization: string, { statements, waiting }: Gathering): void {
    this.#gathering.delete(organization)
    this.#takenOver += 1
    const desk = this.#create(organization)
    desk.state([...statements])
    for (const { from, message } of waiting) desk.take(from, message)
    if (desk.isIdle) this.#drop(organization)
  }

  #tellServed(organization: string, models: readonly string[]): void {
    const { peers, send } = this.#options
    for (const id of new Set([peers.self, ...peers.all.map((peer) => peer.id)]))
      send(id, { type: 'served', organization, models })
  }

  /** Each organization has a core of its own. */
  createCore(): SchedulerCore {
    return new SchedulerCore(this.#options.limits)
  }

  #create(organization: string): Desk {
    const { peers } = this.#options
    const desk = new Desk({
      ...this.#options,
      organization,
      core: this.createCore(),
      mayGrant: () => peers.maySchedule(organization),
      onServed: (models) => this.#tellServed(organization, models),
    })
    this.#desks.set(organization, desk)
    return desk
  }
}

/** Forgets everything that this gateway has stated. */
function leaveOut(peer: string, gathering: Gathering): void {
  gathering.statements.delete(peer)
  gathering.waiting = gathering.waiting.filter(({ from }) => from !== peer)
}
