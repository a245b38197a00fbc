// Several gateways, their database and their bus, devices and clients, on one virtual clock.

import { MemoryBus } from '../../bus/memory-bus.ts'
import type { Random } from './random.ts'
import { VirtualClock } from './virtual-clock.ts'
import { Database } from '../peers/simulator/database.ts'
import { Client } from './client.ts'
import { ScriptedDevice } from './device.ts'
import { Replica, type Fault } from './replica.ts'

export interface Faults {
  /** Of bus messages and statements. */
  loss: number
  doubling: number
  /** How often a message takes long. */
  slowness: number
  isDatabaseDead: boolean
  /** Statements wait, and take effect when it goes on. */
  isDatabaseStopped: boolean
  readonly cutFromDatabase: Set<string>
}

/** In an orderly world, clients and devices use only these. */
const SERVING = ['gateway-1', 'gateway-2']
const SLOW_MS = 2_000
const RESTART_MS = 500
const MOST_CLIENTS = 15
const DEVICES_PER_ORGANIZATION = 3

export interface WorldOptions {
  gateways: number
  /** Something broken, from a test. */
  fault?: Fault
  isOrderly?: boolean
}

export class World {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly database = new Database()
  readonly bus: MemoryBus
  readonly replicas: Replica[] = []
  readonly devices: ScriptedDevice[] = []
  readonly clients = new Set<Client>()
  readonly organizations: readonly string[]
  readonly outcomes = new Map<string, number>()
  readonly steps: string[] = []
  readonly faults: Faults = {
    loss: 0,
    doubling: 0,
    slowness: 0,
    isDatabaseDead: false,
    isDatabaseStopped: false,
    cutFromDatabase: new Set(),
  }
  /** Only gateways without clients and devices fail. So no job notices: each starts once and ends well. */
  readonly isOrderly: boolean
  readonly started = new Set<string>()
  epochs = 0
  delivered = 0
  submitted = 0
  isCalm = false
  isBusDead = false
  /** A promise was settled: what waits for it runs before the next step. */
  hasPromises = false
  failure: unknown
  hash = 0x811c9dc5
  readonly #fault: Fault
  #started = 0

  constructor(random: Random, { gateways, fault = {}, isOrderly = false }: WorldOptions) {
    this.random = random
    this.isOrderly = isOrderly
    this.#fault = fault
    const { clock } = this
    const after = (ms: number, act: () => void) => {
      const happening = { rank: 0, place: -1, happen: act }
      clock.schedule(happening, Math.max(0, ms))
      return () => clock.cancel(happening)
    }
    this.bus = new MemoryBus({ clock: { now: () => clock.now, after }, onFault: (error) => this.fail(error) })
    this.bus.decide = () => this.#decide()
    this.organizations = ['acme', 'globex'].slice(0, random.between(1, 2))
    for (let count = 0; count < gateways; count++) this.startReplica()
    for (const organization of this.organizations)
      for (let count = 0; count < DEVICES_PER_ORGANIZATION; count++)
        this.devices.push(new ScriptedDevice(this, `${organization}-device-${count + 1}`, organization))
  }

  get alive(): Replica[] {
    return this.replicas.filter(({ isDead }) => !isDead)
  }

  /** Those that trouble may happen to. */
  get exposed(): Replica[] {
    return this.alive.filter(({ name }) => !this.isOrderly || !SERVING.includes(name))
  }

  get openClients(): number {
    for (const client of this.clients) if (client.isOver) this.clients.delete(client)
    return this.clients.size
  }

  /** What a balancer does: any gateway that takes connections. */
  balance(): Replica | undefined {
    const open = this.alive.filter(({ name, isLeaving }) => !isLeaving && (!this.isOrderly || SERVING.includes(name)))
    return open.length === 0 ? undefined : this.random.pick(open)
  }

  /** A gateway that doesn't reach the bus doesn't start: whoever runs it tries again. */
  startReplica(): void {
    if (this.isBusDead) return this.clock.after(RESTART_MS, () => this.startReplica())
    const name = `gateway-${(this.#started += 1)}`
    this.say(`${name} starts`)
    this.replicas.push(new Replica(this, name, this.#fault))
  }

  kill(replica: Replica): void {
    replica.isDead = true
    this.bus.kill(replica.name)
    this.replicas.splice(this.replicas.indexOf(replica), 1)
    for (const device of this.devices) if (device.isOn(replica)) device.gatewayDied()
  }

  async shutDown(replica: Replica): Promise<void> {
    replica.isLeaving = true
    await replica.fleet.drain(10_000)
    if (!replica.isDead) this.kill(replica)
  }

  submit(): void {
    const replica = this.balance()
    if (replica === undefined || this.openClients >= MOST_CLIENTS) return
    const job = `job-${(this.submitted += 1)}`
    this.say(`${job} comes in at ${replica.name}`)
    this.clients.add(new Client(this, replica, job, this.random.pick(this.organizations)))
  }

  ended(job: string, how: string): void {
    this.say(`${job}: ${how}`)
    this.outcomes.set(how, (this.outcomes.get(how) ?? 0) + 1)
  }

  /** Keeps what happened, for the report of a broken promise. */
  say(what: string): void {
    this.steps.push(`${(this.clock.now / 1_000).toFixed(3).padStart(8)} s  ${what}`)
    for (let index = 0; index < what.length; index++)
      this.hash = Math.imul(this.hash ^ what.charCodeAt(index), 0x01000193) >>> 0
  }

  /** A promise was broken where nobody could throw. */
  fail(error: unknown): void {
    this.failure ??= error
  }

  #decide(): { delayMs: number; isLost: boolean; isDoubled: boolean } {
    const { random, faults } = this
    const isSlow = random.chance(faults.slowness)
    const delayMs = isSlow ? random.between(100, SLOW_MS) : random.between(0, 3)
    return { delayMs, isLost: random.chance(faults.loss), isDoubled: random.chance(faults.doubling) }
  }
}
