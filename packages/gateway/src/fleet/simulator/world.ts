// Gateways, devices and clients on one virtual clock. A lone gateway is called directly: everything follows at once, so all that it decides is
// compared with an account. Several have real links and peers, a database and a bus: messages take time, get lost and come twice, so only what
// clients and devices notice can be checked.

import type { DeviceModel, JobAttempt } from '@hearth/protocol'
import type { JobRecord, Ticket } from '../fleet.ts'
import { alone } from '../peers/alone.ts'
import { openPeerLinks } from '../peers/links/peer-links.ts'
import { LivePeers } from '../peers/live-peers.ts'
import { change } from './change.ts'
import type { FleetLimits, Roles } from '../roles.ts'
import type { Message } from '../terms/messages.ts'
import { Account } from './account/account.ts'
import type { KnownAttempt } from './account/known-job.ts'
import { Offers } from './account/offers.ts'
import { watch } from './account/watch.ts'
import type { Attempt } from './actors/attempt.ts'
import { Client } from './actors/client.ts'
import { Device } from './actors/device.ts'
import { anyFate, goodFate, shortFate, type Fate } from './actors/fate.ts'
import { Link } from './actors/link.ts'
import { Process, someClock } from './service/process.ts'
import { writeRequest, type Wish } from './actors/request.ts'
import { Gateway, type Fault } from './actors/simulated-gateway.ts'
import { BusClient } from './service/bus-client.ts'
import { LONG_LIMITS, PATIENT_LIMITS, SHORT_LIMITS } from './limits.ts'
import type { Random } from './random.ts'
import { Month } from './service/month.ts'
import { Service } from './service/service.ts'
import type { Sort } from './service/sorts.ts'
import { storeFor } from './service/store-for.ts'

export interface WorldOptions {
  gateways: number
  /** Something broken, from a test. */
  fault?: Fault
  sort?: Sort
}

/** In an orderly world, clients and devices use only these. */
const SERVING = ['gateway-1', 'gateway-2']
const VERSION = '1'
const GRACE_MS = 15_000
const RESTART_MS = 500
/** There are never more gateways than this beyond those of the start. */
const MOST_ADDED = 3
const REMEMBERED_ATTEMPTS = 64
const BYTES_PER_MS = 128

export class World extends Service<Gateway, Uint8Array> {
  /** At the start. */
  readonly gateways: number
  readonly sort: Sort
  readonly fault: Fault
  readonly limits: FleetLimits
  readonly month: Month
  readonly devices = new Map<string, Device>()
  /** Those whose job is not over. */
  readonly clients = new Map<string, Client>()
  /** Of a lone gateway. */
  readonly account: Account | undefined
  readonly offers: Offers
  hasPromises = false
  epochs = 0
  failure: unknown
  /** The latest attempts that are over: anything about them comes too late. */
  readonly pastAttempts: Attempt[] = []
  readonly outcomes = new Map<string, number>()
  readonly firstEvents: { expectedMs: number; actualMs: number }[] = []
  submitted = 0
  delivered = 0

  constructor(random: Random, options: WorldOptions) {
    const { fault = {}, gateways, sort = 'several' } = options
    const onlyDevices = sort === 'only-devices'
    const servers = gateways === 1 || sort === 'one-server' ? 1 : onlyDevices ? 5 : random.between(1, 3)
    const database = fault.database?.()
    super({ random, database, servers, hasNamedServers: true, slowMs: onlyDevices ? [50, 100] : [100, 900] })
    // Where links of devices are all that is cut, others must have time to act on what they have not heard yet.
    if (onlyDevices) this.network.faults.slowness = 1
    this.gateways = gateways
    this.sort = sort
    this.fault = fault
    this.limits = gateways === 1 ? SHORT_LIMITS : this.isOrderly || onlyDevices ? PATIENT_LIMITS : LONG_LIMITS
    this.month = new Month(this.clock, gateways > 1)
    this.account = gateways === 1 ? this.#openAccount() : undefined
    this.offers = new Offers(sort)
  }

  #openAccount(): Account {
    return new Account({
      limits: this.limits,
      requestMs: writeRequest('small', { total: 0, hidden: 0, promptTokens: 0 }).length / BYTES_PER_MS,
      clock: this.clock,
      month: this.month,
      roles: () => this.gateway.roles,
      note: (value) => this.mix(value),
    })
  }

  get isOrderly(): boolean {
    return this.sort === 'orderly'
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

  startGateway(): void {
    const { alive, gateways, servers } = this
    // One that doesn't reach the bus doesn't start: whoever runs it tries again.
    if (servers.running.length === 0) return this.clock.after(RESTART_MS, () => this.startGateway())
    if (alive.length > gateways + MOST_ADDED) return
    const name = this.nextName()
    alive.push(this.account ? this.#startAlone(name) : this.#startAmongOthers(name))
  }

  #startAlone(name: string): Gateway {
    return new Gateway(this, name, new Process(this.clock), alone())
  }

  #startAmongOthers(name: string): Gateway {
    const process = new Process(this.clock, someClock(this.random))
    const bus = new BusClient(this, name, process)
    const log = (fields: object, message: string) => this.say(`${name}: ${message} ${JSON.stringify(fields)}`)
    const shared = { bus, clock: process.clock, version: VERSION }
    const store = storeFor(this, { name, process })
    const peers = new LivePeers({ ...shared, id: name, store, log: { info: log, warn: log }, graceMs: GRACE_MS })
    change(peers, 'onChange', (onChange) => (listener) => onChange(() => this.#attempt(listener)))
    const links = openPeerLinks<Message>({ ...shared, self: name, onFault: (error) => this.fail(error) })
    return new Gateway(this, name, process, peers, { bus, links })
  }

  override kill(gateway: Gateway): void {
    super.kill(gateway)
    for (const { link } of this.devices.values())
      if (link?.gateway === gateway) link.cut(this.random.between(0, 1_000), undefined)
    for (const [job, client] of this.clients) if (client.gateway === gateway) this.clients.delete(job)
  }

  leave(gateway: Gateway): void {
    gateway.isLeaving = true
    gateway.fleet.drain(10_000).then(
      () => this.left(gateway),
      (error: unknown) => this.fail(error),
    )
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
    this.month.add(record)
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

  /** With a lone gateway, the account has noted everything that matters. */
  override say(what: string): void {
    if (!this.account) super.say(what)
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
}

export type LoneWorld = World & { readonly account: Account }

export function isLone(world: World): world is LoneWorld {
  return world.account !== undefined
}
