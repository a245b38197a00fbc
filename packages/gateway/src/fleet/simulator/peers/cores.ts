// The cores of gateways that agree on who schedules what, on a bus of their own. Nothing else runs in their world, so that thousands of faults
// are met in a second.

import { PeersCore } from '../../peers/core/peers-core.ts'
import type { Answer, Query } from '../../peers/core/queries.ts'
import { TIMING, type Timing } from '../../peers/core/timing.ts'
import { Process, someClock } from '../actors/process.ts'
import type { Fault } from '../actors/simulated-gateway.ts'
import { Bus } from './bus.ts'
import type { Database } from '../database.ts'
import type { Network } from '../network.ts'
import { SimulatedCore } from './simulated-core.ts'
import type { VirtualClock } from '../virtual-clock.ts'
import type { World } from '../world.ts'
import type { Random } from '../random.ts'

/** Short, so that worlds reach it often. */
export const WORLD_TIMING: Timing = { ...TIMING, graceMs: 15_000 }

const RETRY_DATABASE_MS = 100

export class Cores {
  readonly clock: VirtualClock
  readonly random: Random
  readonly network: Network
  readonly database: Database
  readonly fault: Fault
  readonly bus: Bus
  readonly gateways = new Set<SimulatedCore>()
  /** How often each answer was met. */
  readonly answers = new Map<string, number>()
  /** When all faults have ended. */
  calmAt = 0
  /** When the last query from before that took effect. */
  lastLateAt = 0
  #started = 0

  constructor({ clock, random, network, database, fault }: World) {
    this.clock = clock
    this.random = random
    this.network = network
    this.database = database
    this.fault = fault
    this.bus = new Bus(this, random.pick([1, 1, 1, 2, 3]), random.chance(0.6))
  }

  get isCalm(): boolean {
    return this.calmAt > 0
  }

  get alive(): SimulatedCore[] {
    return [...this.gateways].filter(({ process, core }) => !process.isDead && !core.hasLeft)
  }

  startGateway(version: string): void {
    const id = `gateway-${++this.#started}`
    const options = { id, version, timing: WORLD_TIMING }
    const core = this.fault.core?.(options) ?? new PeersCore(options)
    const process = new Process(this.clock, someClock(this.random))
    const gateway = new SimulatedCore({ id, version }, core, process, this)
    this.gateways.add(gateway)
    gateway.start()
  }

  crash(gateway: SimulatedCore): void {
    gateway.crash()
    this.gateways.delete(gateway)
  }

  send(gateway: SimulatedCore, query: Query, end: (answer: Answer) => void): void {
    const { clock, network } = this
    const sentAt = clock.now
    clock.after(network.delayMs(), () => {
      if (sentAt < this.calmAt) this.lastLateAt = clock.now
      if (!network.reachesDatabase(gateway.id)) return clock.after(network.delayMs(), () => end({ name: 'failed' }))
      this.#execute(gateway, query, end)
    })
  }

  ended(gateway: SimulatedCore, { name }: Answer): void {
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1)
    if (gateway.core.hasLeft) this.gateways.delete(gateway)
  }

  #execute(gateway: SimulatedCore, query: Query, end: (answer: Answer) => void): void {
    const { clock, network } = this
    if (network.isDatabaseStopped) return clock.after(RETRY_DATABASE_MS, () => this.#execute(gateway, query, end))
    const answer = this.database.run(query)
    if (network.reachesDatabase(gateway.id)) clock.after(network.delayMs(), () => end(answer))
  }
}
