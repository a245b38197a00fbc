// Gateways, devices and clients on one virtual clock. A lone gateway is called directly: everything follows at once, so all that it decides is
// compared with an account. Several have real links and peers, a database and a bus: messages take time, get lost and come twice, so only what
// clients and devices notice can be checked.

import type { DeviceModel, JobAttempt } from '@hearth/protocol'
import type { BusServer } from '../../bus/bus.ts'
import { MemoryBus } from '../../bus/testing/memory-bus.ts'
import type { JobRecord, Ticket } from '../fleet.ts'
import { alone } from '../peers/alone.ts'
import { openPeerLinks } from '../peers/links/peer-links.ts'
import { LivePeers } from '../peers/live-peers.ts'
import { change } from './change.ts'
import type { FleetLimits, Roles } from '../roles.ts'
import type { Ms } from '../terms/job.ts'
import type { Message } from '../terms/messages.ts'
import { Account } from './account/account.ts'
import type { KnownAttempt } from './account/known-job.ts'
import { Offers, type OffersOptions } from './account/offers.ts'
import { watch } from './account/watch.ts'
import type { Attempt } from './actors/attempt.ts'
import { Client } from './actors/client.ts'
import { Device } from './actors/device.ts'
import { anyFate, goodFate, shortFate, type Fate } from './actors/fate.ts'
import { Link } from './actors/link.ts'
import { Process, someClock } from './actors/process.ts'
import { writeRequest, type Wish } from './actors/request.ts'
import { Gateway, type Fault } from './actors/simulated-gateway.ts'
import { guarded } from './guarded-bus.ts'
import { LONG_LIMITS, PATIENT_LIMITS, SHORT_LIMITS } from './limits.ts'
import { Database } from './database.ts'
import { Network } from './network.ts'
import type { Random } from './random.ts'
import { storeFor } from './store-for.ts'
import { VirtualClock } from './virtual-clock.ts'

export interface WorldOptions extends OffersOptions {
  gateways: number
  /** Something broken, from a test. */
  fault?: Fault
  /** Only gateways without clients and devices fail. So no job notices: each starts once and ends well. */
  isOrderly?: boolean
  /** Only links of devices are cut. So every offer is known: none is sent twice over a link that is gone, and those that are don't count. */
  onlyDevices?: boolean
  /** The bus is one server that hands on everything in one order. So new gateways can tell that all before them are dead. */
  hasOneServer?: boolean
  /** Gateways only agree on who schedules what, without clients and devices; there are never many more than `gateways`. */
  onlyPeers?: boolean
}

/** In an orderly world, clients and devices use only these. */
const SERVING = ['gateway-1', 'gateway-2']
const VERSION = '1'
const GRACE_MS = 15_000
const SLOW_MS = 2_000
const RESTART_MS = 500
const REMEMBERED_ATTEMPTS = 64
const BYTES_PER_MS = 128

export class World {
  readonly clock = new VirtualClock()
  readonly random: Random
  readonly options: WorldOptions
  readonly limits: FleetLimits
  readonly fault: Fault
  /** Gateways that are not dead. */
  readonly alive: Gateway[] = []
  readonly devices = new Map<string, Device>()
  /** Those whose job is not over. */
  readonly clients = new Map<string, Client>()
  /** Of a lone gateway. */
  readonly account: Account | undefined
  readonly offers: Offers
  readonly database: Database
  readonly bus: MemoryBus
  readonly network: Network
  /** From now on nothing goes wrong. */
  isCalm = false
  isBusDead = false
  hasPromises = false
  epochs = 0
  failure: unknown
  /** The latest attempts that are over: anything about them comes too late. */
  readonly pastAttempts: Attempt[] = []
  readonly outcomes = new Map<string, number>()
  readonly firstEvents: { expectedMs: number; actualMs: number }[] = []
  readonly steps: string[] = []
  submitted = 0
  delivered = 0
  hash = 0x811c9dc5
  #gateways = 0
  /** Of the one server. */
  #serverStarts: number | undefined

  constructor(random: Random, options: WorldOptions) {
    this.random = random
    this.network = new Network(random)
    this.options = options
    this.fault = options.fault ?? {}
    this.database = this.fault.database?.() ?? new Database()
    this.limits = limitsOf(options)
    this.account = options.gateways === 1 ? this.#openAccount() : undefined
    this.offers = new Offers(options)
    if (options.hasOneServer) this.#serverStarts = 1
    this.bus = new MemoryBus({ clock: this.clock.asClock(), onFault: (error) => this.fail(error) })
    this.bus.decide = () => this.#decide()
  }

  #openAccount(): Account {
    return new Account({
      limits: this.limits,
      requestMs: writeRequest('small', { total: 0, hidden: 0, promptTokens: 0 }).length / BYTES_PER_MS,
      clock: this.clock,
      roles: () => this.gateway.roles,
      note: (value) => this.mix(value),
    })
  }

  get isOrderly(): boolean {
    return this.options.isOrderly === true
  }

  /** Unless all is calm by then. */
  later(ms: Ms, act: () => void): void {
    this.clock.after(ms, () => {
      if (!this.isCalm) act()
    })
  }

  // Gateways.

  /** The only one, where there is only one. */
  get gateway(): Gateway {
    return this.alive[0]!
  }

  /** Those that trouble may happen to. */
  get exposed(): Gateway[] {
    return this.alive.filter(({ name }) => !this.isOrderly || !SERVING.includes(name))
  }

  /** A gateway that doesn't reach the bus doesn't start: whoever runs it tries again. */
  startGateway(): void {
    if (this.isBusDead) return this.clock.after(RESTART_MS, () => this.startGateway())
    const name = `gateway-${(this.#gateways += 1)}`
    this.say(`${name} starts`)
    this.alive.push(this.account ? this.#startAlone(name) : this.#startAmongOthers(name))
  }

  #startAlone(name: string): Gateway {
    return new Gateway(this, name, new Process(this.clock), alone())
  }

  #startAmongOthers(name: string): Gateway {
    const process = new Process(this.clock, someClock(this.random))
    const bus = guarded(this.bus.connect(name, this.#server), process)
    const log = (fields: object, message: string) => this.say(`${name}: ${message} ${JSON.stringify(fields)}`)
    const shared = { bus, clock: process.clock, version: VERSION }
    const store = storeFor(this, name, process)
    const peers = new LivePeers({ ...shared, id: name, store, log: { info: log, warn: log }, graceMs: GRACE_MS })
    change(peers, 'onChange', (onChange) => (listener) => onChange(() => this.#attempt(listener)))
    const links = openPeerLinks<Message>({ ...shared, self: name, onFault: (error) => this.fail(error) })
    return new Gateway(this, name, process, peers, links)
  }

  get #server(): BusServer | undefined {
    return this.#serverStarts === undefined ? undefined : { id: `server-${this.#serverStarts}`, name: 'nats' }
  }

  /** All gateways, the bus and the database die at once, and come back after this time. */
  loseEverything(ms: number): void {
    const killed = this.alive.slice()
    for (const gateway of killed) this.kill(gateway)
    this.isBusDead = this.network.isDatabaseDead = true
    this.bus.kill()
    this.clock.after(ms, () => {
      this.isBusDead = this.network.isDatabaseDead = false
      if (this.#serverStarts !== undefined) this.#serverStarts += 1
      this.bus.revive()
      for (let count = killed.length; count > 0; count--) this.startGateway()
    })
  }

  kill(gateway: Gateway): void {
    gateway.process.isDead = true
    this.bus.kill(gateway.name)
    this.alive.splice(this.alive.indexOf(gateway), 1)
    for (const { link } of this.devices.values())
      if (link?.gateway === gateway) link.cut(this.random.between(0, 1_000), undefined)
    for (const [job, client] of this.clients) if (client.gateway === gateway) this.clients.delete(job)
  }

  async shutDown(gateway: Gateway): Promise<void> {
    gateway.isLeaving = true
    await gateway.fleet.drain(10_000)
    if (!gateway.process.isDead) this.kill(gateway)
  }

  /** Like a load balancer: any gateway that takes connections. */
  balance(): Gateway | undefined {
    if (this.account) return this.gateway
    const open = this.alive.filter(({ name, isLeaving }) => !isLeaving && (!this.isOrderly || SERVING.includes(name)))
    return open.length === 0 ? undefined : this.random.pick(open)
  }

  watch(roles: Roles): void {
    if (this.account) watch(roles, this.account)
    else this.offers.watch(roles)
  }

  // Devices.

  addDevice(organization: string, name: string, models: DeviceModel[]): Device {
    const device = new Device(this, `${organization}-${name}`, organization, models)
    this.devices.set(device.id, device)
    return device
  }

  /** The device connects again, to any gateway; to a lone one, when the weather says so. */
  linkLost(device: Device): void {
    if (this.account) return
    this.clock.after(this.random.between(20, 600), () => this.connect(device))
  }

  connect(device: Device): void {
    const gateway = this.balance()
    if (gateway === undefined) return this.linkLost(device)
    const link = new Link(device, gateway, this.clock, this.account ? 0 : this.random.between(1, 30))
    device.heardAt = this.clock.now
    device.relink(link)
    const { id, organization } = device
    gateway.accept(
      { id, organization, name: id },
      (accept) => link.accepted(accept),
      () => link.deviceNotices(),
    )
    this.account?.settled()
  }

  /** How the next attempt goes. */
  fate(): Fate {
    if (!this.account) return shortFate(this.random, this.isCalm || this.isOrderly)
    return this.isCalm ? goodFate(this.random) : anyFate(this.random, this.limits)
  }

  started(device: Device, of: JobAttempt): KnownAttempt | undefined {
    if (this.account) return this.account.started(of)
    const what = `attempt ${of.attempt} of ${of.job} on ${device.id}`
    this.say(`${what} starts (${device.working.size} slots taken)`)
    this.offers.started(of, what, this.clients.get(of.job)?.ticket.sealedFor?.includes(device.id) ?? true)
    return undefined
  }

  /** An attempt is over, from its device's side. */
  past(attempt: Attempt): void {
    if (!this.account) return
    if (this.pastAttempts.length < REMEMBERED_ATTEMPTS) this.pastAttempts.push(attempt)
    else this.pastAttempts[this.random.between(0, REMEMBERED_ATTEMPTS - 1)] = attempt
  }

  // Clients.

  submit(gateway: Gateway, ticket: Omit<Ticket, 'job'>, wish: Wish): Client {
    const job = `job-${(this.submitted += 1)}`
    const client = new Client(this, gateway, { ...ticket, job }, wish)
    this.clients.set(job, client)
    this.say(`${job} comes in at ${gateway.name}`)
    client.submit()
    return client
  }

  recorded(record: JobRecord): void {
    this.clients.get(record.ticket.job)?.recorded(record)
    if (!this.account) return this.offers.recorded(record)
    this.account.recorded(record)
    const { expectedMs, firstEventMs: actualMs } = record
    if (expectedMs !== undefined && actualMs !== undefined) this.firstEvents.push({ expectedMs, actualMs })
  }

  ended({ ticket }: Client, how: string): void {
    this.say(`${ticket.job}: ${how}`)
    this.outcomes.set(how, (this.outcomes.get(how) ?? 0) + 1)
    this.clients.delete(ticket.job)
  }

  // The record of events.

  /** For the report of a broken promise. With a lone gateway, the account has noted everything that matters. */
  say(what: string): void {
    if (this.account) return
    this.steps.push(`${(this.clock.now / 1_000).toFixed(3).padStart(8)} s  ${what}`)
    for (let index = 0; index < what.length; index++) this.mix(what.charCodeAt(index))
  }

  mix(value: number): void {
    this.hash = Math.imul(this.hash ^ value, 0x01000193) >>> 0
  }

  /** What is thrown in the promise of a query would be lost. */
  #attempt(act: () => void): void {
    try {
      act()
    } catch (error) {
      this.fail(error)
    }
  }

  /** A promise was broken where nobody could throw. */
  fail(error: unknown): void {
    this.failure ??= error
  }

  #decide(): { delayMs: number; isLost: boolean; isDoubled: boolean } {
    const { random } = this
    const { loss, doubling, slowness } = this.network.faults
    if (this.#serverStarts !== undefined) return { delayMs: 1, isLost: false, isDoubled: false }
    const isSlow = random.chance(slowness)
    // Where links of devices are all that is cut, others must have time to act on what they have not heard yet.
    const delayMs = isSlow ? random.between(100, SLOW_MS) : random.between(0, this.options.onlyDevices ? 40 : 3)
    return { delayMs, isLost: random.chance(loss), isDoubled: random.chance(doubling) }
  }
}

export type LoneWorld = World & { readonly account: Account }

export function isLone(world: World): world is LoneWorld {
  return world.account !== undefined
}

function limitsOf({ gateways, isOrderly, onlyDevices }: WorldOptions): FleetLimits {
  if (gateways === 1) return SHORT_LIMITS
  return isOrderly || onlyDevices ? PATIENT_LIMITS : LONG_LIMITS
}
