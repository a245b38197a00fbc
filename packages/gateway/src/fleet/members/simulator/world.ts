// Several gateways, a database and a bus on one virtual clock.

import type { Random } from '../../simulator/random.ts'
import { VirtualClock } from '../../simulator/virtual-clock.ts'
import type { Heartbeat } from '../core/heartbeat.ts'
import { MembersCore, type CoreOptions } from '../core/members-core.ts'
import type { Outcome, Statement } from '../core/statements.ts'
import { TIMING, type Timing } from '../core/timing.ts'
import { Database } from './database.ts'
import { Network } from './network.ts'
import { Replica } from './replica.ts'

export type CreateCore = (options: CoreOptions) => MembersCore

/** Short, so that worlds reach it often. */
export const WORLD_TIMING: Timing = { ...TIMING, graceMs: 15_000 }

const RETRY_DATABASE_MS = 100

export class World {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly network: Network
  readonly database: Database
  readonly replicas = new Set<Replica>()
  /** How often each outcome was met. */
  readonly outcomes = new Map<string, number>()
  /** When all faults have ended. */
  calmAt = 0
  /** When the last statement from before that took effect. */
  lastLateAt = 0
  readonly #createCore: CreateCore
  #started = 0

  constructor(random: Random, createCore: CreateCore, database: Database) {
    this.random = random
    this.network = new Network(random)
    this.#createCore = createCore
    this.database = database
  }

  get alive(): Replica[] {
    return [...this.replicas].filter(({ isCrashed, core }) => !isCrashed && !core.hasLeft)
  }

  startReplica(version: string): void {
    const id = `replica-${++this.#started}`
    const core = this.#createCore({ id, version, timing: WORLD_TIMING })
    // Clocks that differ by a minute and more, and run at slightly different speeds.
    const clock = { offsetMs: this.random.between(0, 100_000), speed: 0.99 + this.random.fraction() / 50 }
    const replica = new Replica({ id, version }, core, clock, this)
    this.replicas.add(replica)
    replica.start()
  }

  crash(replica: Replica): void {
    replica.isCrashed = true
    this.replicas.delete(replica)
  }

  send(replica: Replica, statement: Statement, end: (outcome: Outcome) => void): void {
    const { clock, network } = this
    const sentAt = clock.now
    clock.after(network.delayMs(), () => {
      if (sentAt < this.calmAt) this.lastLateAt = clock.now
      if (!network.reachesDatabase(replica.id)) return clock.after(network.delayMs(), () => end({ name: 'failed' }))
      this.#execute(replica, statement, end)
    })
  }

  ended(replica: Replica, { name }: Outcome): void {
    this.outcomes.set(name, (this.outcomes.get(name) ?? 0) + 1)
    if (replica.core.hasLeft) this.replicas.delete(replica)
  }

  publish(from: Replica, heartbeat: Heartbeat): void {
    for (const to of this.replicas)
      for (let copy = this.network.copies(from.id, to.id); copy > 0; copy--)
        this.clock.after(this.network.delayMs(), () => to.hear(heartbeat))
  }

  #execute(replica: Replica, statement: Statement, end: (outcome: Outcome) => void): void {
    const { clock, network } = this
    if (network.isDatabaseStopped) return clock.after(RETRY_DATABASE_MS, () => this.#execute(replica, statement, end))
    const outcome = this.database.run(statement)
    if (network.reachesDatabase(replica.id)) clock.after(network.delayMs(), () => end(outcome))
  }
}
