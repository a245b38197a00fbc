// The cores of gateways that agree on who schedules what. Nothing else runs in their world, so that thousands of faults are met in a second.

import type { Heartbeat } from '../../peers/heartbeat.ts'
import { PeersCore } from '../../peers/core/peers-core.ts'
import type { QueryResult } from '../../peers/core/queries.ts'
import { TIMING, type Timing } from '../../peers/core/timing.ts'
import { Process, someClock } from '../service/process.ts'
import type { Fault } from '../actors/simulated-gateway.ts'
import { BusClient } from '../service/bus-client.ts'
import type { Random } from '../random.ts'
import { Service } from '../service/service.ts'
import { happen, listKinds, OFTEN, SERVICE_TROUBLE } from '../service/service-trouble.ts'
import { SimulatedCore } from './simulated-core.ts'

/** Short, so that worlds reach it often. */
export const WORLD_TIMING: Timing = { ...TIMING, graceMs: 15_000 }

const VERSION = '1'
/** In a world with few gateways, more happens to each of them. */
const FEW_GATEWAYS = 3
const MANY_GATEWAYS = 7

export class Cores extends Service<SimulatedCore, Heartbeat> {
  /** How often each answer was met. */
  readonly answers = new Map<QueryResult['name'], number>()
  readonly #fault: Fault
  readonly #kinds: readonly (keyof typeof SERVICE_TROUBLE)[]
  readonly #most: number

  /** With few gateways, they lose everything again and again. */
  constructor(random: Random, fault: Fault, hasFew: boolean) {
    const servers = random.pick([1, 1, 1, 2, 3])
    const options = { servers, hasNamedServers: random.chance(0.6), slowMs: [500, 6_000] as const }
    super({ random, database: fault.database?.(), ...options })
    this.#fault = fault
    this.network.faults.lateness = 0.01
    this.#most = hasFew ? FEW_GATEWAYS : MANY_GATEWAYS
    this.#kinds = listKinds(OFTEN, hasFew ? 'few-peers' : 'peers')
    const count = hasFew || random.chance(0.5) ? random.between(2, this.#most) : 2
    for (let index = 0; index < count; index++) this.#start(VERSION)
    this.#causeNext()
  }

  startGateway(): void {
    if (this.alive.length < this.#most + 2) this.#start(this.random.chance(0.05) ? '2' : VERSION)
  }

  #start(version: string): void {
    const name = this.nextName()
    // Timers and messages that came while it was stopped are handled in an order that nobody can foresee.
    const process = new Process(this.clock, someClock(this.random), (held) => {
      for (const act of this.random.shuffled(held))
        this.clock.after(this.random.between(0, 30), () => process.live(act))
    })
    const options = { id: name, version, timing: WORLD_TIMING }
    const core = this.#fault.core?.(options) ?? new PeersCore(options)
    this.alive.push(new SimulatedCore({ name, version }, core, process, new BusClient(this, name, process), this))
  }

  leave(gateway: SimulatedCore): void {
    gateway.leave()
  }

  answered({ name }: QueryResult): void {
    this.answers.set(name, (this.answers.get(name) ?? 0) + 1)
  }

  #causeNext(): void {
    const { random } = this
    this.later(random.pick([50, 300, 1_000, 4_000, 9_000]), () => {
      const gateway = this.alive.length > 1 ? random.pick(this.alive) : undefined
      const ms = random.pick([200, 1_500, 3_500, 8_000, 30_000])
      const kind = random.pick(this.#kinds)
      happen(this, { kind, gateway, ms }, SERVICE_TROUBLE[kind])
      this.#causeNext()
    })
  }
}
