// One round: who plays which role, the load, and the questions that measure what a loss costs.

import { setTimeout as sleep } from 'node:timers/promises'
import type { SentRequest } from './sent-request.ts'
import type { ChaosWorld } from './chaos-world.ts'
import { Load } from './load.ts'

/** In milliseconds, by the promise that it belongs to. */
export type Measures = Record<string, number>

export interface Roles {
  scheduler: number
  /** Neither of the other two schedules the organization. */
  front: number
  home: number
}

const LOAD_TOKENS = 80
const LOAD_INTERVAL_MS = 8
/** Every so many requests of the load, one is no stream. */
const WHOLE_EVERY = 5
const PROBE_EVERY_MS = 50

export class Stage {
  readonly world: ChaosWorld
  readonly roles: Roles
  readonly load: Load
  /** All requests of the round. */
  readonly asked: { asked: SentRequest; gateway: number }[] = []
  /** Gateways whose connections broke. */
  readonly killed = new Set<number>()
  /** Those of them that were not started again. */
  readonly #dead = new Set<number>()
  /** Where the load asks. */
  fronts: readonly number[]
  #turn = 0

  constructor(world: ChaosWorld, clients: number) {
    this.world = world
    const scheduler = world.scheduler()
    const [front, home] = world.gateways.filter((gateway) => gateway !== scheduler)
    this.roles = { scheduler, front: front!, home: home! }
    this.fronts = world.gateways
    this.load = new Load(clients, () => this.#askForLoad())
  }

  get others(): readonly number[] {
    return [this.roles.front, this.roles.home]
  }

  /** Places devices and clients, and resolves once the load runs. */
  async begin(places: { devices: readonly number[]; clients: readonly number[] }): Promise<void> {
    this.fronts = places.clients
    await this.world.placeDevices(places.devices)
    await this.load.start()
  }

  /** The first token at once, and the others when the gate opens. */
  hold(gateway: number, gate: Promise<unknown>): SentRequest {
    return this.#ask(gateway, { tokens: 3, stall: { at: 1, until: gate } })
  }

  /** A stream that lasts a while. */
  watch(gateway: number, seconds: number): SentRequest {
    return this.#ask(gateway, { tokens: seconds * 50, intervalMs: 20 })
  }

  probe(gateway: number): SentRequest {
    return this.#ask(gateway, { tokens: 1 })
  }

  /** Asks again and again at these gateways until the end. Resolves with the longest time that one of these requests took. */
  async probeUntil(gateways: readonly number[], end: Promise<unknown>): Promise<number> {
    const probes: SentRequest[] = []
    const over = new AbortController()
    void end.then(() => over.abort())
    for (let turn = 0; !over.signal.aborted; turn++) {
      probes.push(this.probe(gateways[turn % gateways.length]!))
      await sleep(PROBE_EVERY_MS)
    }
    await Promise.all(probes.map(({ ended }) => ended))
    return Math.max(...probes.map((probe) => probe.longestGapSince(0)))
  }

  /** Resolves once the gateway answers. */
  async answers(gateway: number): Promise<void> {
    const isAnswered = async () => (await this.probe(gateway).ended).kind === 'done'
    await this.world.until(`gateway ${gateway} answers`, isAnswered)
  }

  async kill(gateway: number): Promise<void> {
    this.fronts = this.fronts.filter((front) => front !== gateway)
    this.world.homes = this.world.homes.filter((home) => home !== gateway)
    await this.#kill(gateway)
  }

  /** Clients and devices keep trying. */
  async killAll(): Promise<void> {
    await Promise.all(this.world.gateways.map((gateway) => this.#kill(gateway)))
  }

  async #kill(gateway: number): Promise<void> {
    this.killed.add(gateway)
    this.#dead.add(gateway)
    const process = this.world.fleet.replicas[gateway]!
    process.signal('SIGKILL')
    await process.exited
  }

  async replaceKilled(): Promise<void> {
    const dead = [...this.#dead]
    this.#dead.clear()
    await Promise.all(dead.map((gateway) => this.world.fleet.replace(gateway)))
    await Promise.all(dead.map((gateway) => this.answers(gateway)))
  }

  #askForLoad(): SentRequest {
    const gateway = this.fronts[this.#turn++ % this.fronts.length]!
    return this.#ask(gateway, { tokens: LOAD_TOKENS, intervalMs: LOAD_INTERVAL_MS }, this.#turn % WHOLE_EVERY > 0)
  }

  #ask(gateway: number, plan: Parameters<ChaosWorld['ask']>[1], isStream = true): SentRequest {
    const asked = this.world.ask(gateway, { reportsTokens: true, ...plan }, isStream)
    this.asked.push({ asked, gateway })
    return asked
  }
}
