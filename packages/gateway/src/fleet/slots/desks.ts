// The organizations whose slots this gateway leases. One that it takes over is opened when all gateways have said what they know of it, so that no
// waiting job loses its place.

import type { Clock } from '../../time/clock.ts'
import type { KnownBudgets } from './core/budgets.ts'
import { Lessor } from './core/lessor.ts'
import { sum, type LessorStats } from './core/stats.ts'
import type { LessorLimits } from './core/types.ts'
import type { Peers } from '../peers/peers.ts'
import { Desk } from './desk.ts'
import type { DeskMessage, JobForecast, Post } from '../terms/messages.ts'

export interface DesksOptions extends Omit<Post, 'tellLessor'> {
  peers: Peers
  limits: LessorLimits
  tokenBudgets?: KnownBudgets | undefined
  clock: Clock
}

/** The lessor waits this long for a gateway that it can't reach, and not at all if all agree that it is cut off. */
const GATHERING_MS = 5_000
/** Leases of one generation of peers: numbers of different lessors never meet. */
const LEASES_PER_TERM = 2 ** 32

export class Desks {
  readonly #options: DesksOptions
  readonly #desks = new Map<string, Desk>()
  /** The generation up to which each gateway has said everything. */
  readonly #stated = new Map<string, number>()
  /** The newest view that each gateway has spoken under. */
  readonly #views = new Map<string, number>()
  /** It was one of the peers when they last changed. */
  #hadJoined: boolean
  #takenOver = 0
  #leases = 0

  constructor(options: DesksOptions) {
    this.#options = options
    this.#hadJoined = options.peers.view.all.length > 0
  }

  leasing() {
    return {
      /** Those that this gateway leases for. */
      organizations: sum([...this.#desks.values()], ({ isOpen }) => Number(isOpen)),
      /** Those that it took over from another gateway, since the start. */
      takenOver: this.#takenOver,
    }
  }

  /** By organization. */
  stats(): Map<string, LessorStats> {
    return new Map([...this.#desks].map(([organization, desk]) => [organization, desk.stats()]))
  }

  statsOf(organization: string): LessorStats | undefined {
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
    const desk = this.#desks.get(organization) ?? this.#create(organization, from)
    if (desk === undefined) return
    desk.take(from, message)
    if (desk.isIdle) this.#drop(organization)
  }

  /** The gateway speaks under this view from now on. */
  stating(from: string, generation: number): void {
    this.#views.set(from, generation)
  }

  /** The gateway has said everything that it knows, as of this generation. */
  stated(from: string, generation: number): void {
    this.#stated.set(from, generation)
    this.#each((desk) => desk.stated(from))
    this.openReady()
  }

  /**
   * The peers have changed: stops what it no longer leases. Those that are gone take their jobs and devices with them. Others may learn before
   * this gateway does that it has joined, and what they have said by then waits. What it heard before it was removed is forgotten.
   */
  peersChanged(gone: readonly string[]): void {
    const { peers } = this.#options
    const hasJoined = peers.view.all.length > 0
    const isRemoved = this.#hadJoined && !hasJoined
    this.#hadJoined = hasJoined
    for (const [organization, { isOpen, generation }] of this.#desks) {
      const isExpected = !isOpen && !isRemoved && generation > peers.view.generation
      if (!this.#isMine(organization) && !isExpected) this.#drop(organization)
    }
    for (const peer of gone) this.lost(peer)
    this.openReady()
  }

  /** Opens the organizations that are ready, and continues those that waited for a mandate. */
  openReady(): void {
    for (const [organization, desk] of this.#desks)
      if (desk.isOpen) desk.resume()
      else if (this.#isReady(organization, desk.since)) {
        this.#takenOver += 1
        desk.open()
      }
  }

  close(): void {
    for (const desk of this.#desks.values()) desk.close()
    this.#desks.clear()
  }

  /** The link to the gateway is broken: it says everything again when it is back. */
  cutOff(peer: string): void {
    this.#each((desk) => desk.cutOff(peer))
  }

  /** The gateway is gone, with its jobs and devices. */
  lost(peer: string): void {
    this.#stated.delete(peer)
    this.#views.delete(peer)
    this.#each((desk) => {
      desk.cutOff(peer)
      desk.stated(peer)
    })
  }

  #each(action: (desk: Desk) => void): void {
    for (const [organization, desk] of this.#desks) {
      action(desk)
      if (desk.isIdle) this.#drop(organization)
    }
  }

  #drop(organization: string): void {
    const desk = this.#desks.get(organization)
    if (desk === undefined) return
    this.#desks.delete(organization)
    desk.close()
    if (desk.served.length > 0) this.#tellServed(organization, [])
  }

  #isMine(organization: string): boolean {
    const { peers } = this.#options
    return peers.view.schedulerOf(organization) === peers.self
  }

  #isReady(organization: string, since: number): boolean {
    return this.#options.peers.maySchedule(organization) && this.haveAllStated(since)
  }

  haveAllStated(since: number): boolean {
    const { peers, clock, isReachable } = this.#options
    const isLate = clock.now() - since >= GATHERING_MS
    const hasStated = (id: string) => (this.#stated.get(id) ?? 0) >= peers.view.generation
    return peers.view.all.every(({ id, isSetAside }) => hasStated(id) || (!isReachable(id) && (isLate || isSetAside)))
  }

  #tellServed(organization: string, models: readonly string[]): void {
    const { peers, send } = this.#options
    for (const id of new Set([peers.self, ...peers.view.ids])) send(id, { type: 'served', organization, models })
  }

  // A message from a gateway that hasn't heard of the newest view yet is for the lessor before: it will be said again. One from a gateway that
  // knows a newer view waits for it. The desk of an organization that nobody has said anything about opens at once.
  #create(organization: string, from: string): Desk | undefined {
    const { peers, clock, send } = this.#options
    const generation = this.#views.get(from) ?? 0
    if (!this.#isMine(organization) && generation <= peers.view.generation) return undefined
    const desk = new Desk({
      organization,
      lessor: this.createLessor(),
      clock,
      generation,
      send,
      mayLease: () => peers.maySchedule(organization),
      onServed: (models) => this.#tellServed(organization, models),
    })
    this.#desks.set(organization, desk)
    if (this.#isReady(organization, desk.since)) desk.open()
    return desk
  }

  createLessor(): Lessor {
    const { limits, peers, tokenBudgets } = this.#options
    const nextLease = () => peers.view.generation * LEASES_PER_TERM + (this.#leases += 1)
    return new Lessor(limits, nextLease, tokenBudgets)
  }
}
