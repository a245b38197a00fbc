// Several gateways with real links and peers, their database and their bus. Messages take time, get lost and come twice, so only what clients
// and devices notice can be checked.

import type { JobAttempt } from '@hearth/protocol'
import type { BusServer } from '../../bus/bus.ts'
import { MemoryBus } from '../../bus/testing/memory-bus.ts'
import { openPeerLinks } from '../peers/links/peer-links.ts'
import type { Message } from '../terms/messages.ts'
import type { Ticket } from '../terms/job.ts'
import type { JobRecord } from '../jobs/job-record.ts'
import { LivePeers } from '../peers/live-peers.ts'
import { Database } from './peers/database.ts'
import { FLEET_LIMITS, type FleetLimits, type Roles } from '../roles.ts'
import { change } from './change.ts'
import { Device } from './actors/device.ts'
import { shortFate, type Fate } from './actors/fate.ts'
import { Gateway, type Fault } from './actors/simulated-gateway.ts'
import { guarded } from './guarded-bus.ts'
import { Link } from './actors/link.ts'
import { FIRST_MODEL, oneModel } from './actors/models.ts'
import { Process } from './actors/process.ts'
import type { Random } from './random.ts'
import { storeFor, type Faults } from './store-for.ts'
import { demand } from './violation.ts'
import { World } from './world.ts'

export interface SharedOptions {
  gateways: number
  /** Something broken, from a test. */
  fault?: Fault
  /** Only gateways without clients and devices fail. So no job notices: each starts once and ends well. */
  isOrderly?: boolean
  /** Only links of devices are cut. So every offer is known: none is sent twice over a link that is gone, and those that are don't count. */
  onlyDevices?: boolean
  /** The bus is one server that hands on everything in one order. So new gateways can tell that all before them are dead. */
  hasOneServer?: boolean
}

/** Nothing in these worlds takes longer than seconds, so a job that reaches one of the long limits has hung. */
const LIMITS: FleetLimits = {
  ...FLEET_LIMITS,
  waitMs: 200_000,
  acceptMs: 4_000,
  hedgeMs: 300,
  firstEventMs: 300_000,
  gapMs: 300_000,
  returnMs: 3_000,
  cancelMs: 1_000,
}

/** Nobody gives an attempt up because a message is slow. */
const PATIENT = { ...LIMITS, acceptMs: 100_000, hedgeMs: 100_000 }

/** In an orderly world, clients and devices use only these. */
const SERVING = ['gateway-1', 'gateway-2']
/** In an orderly world, one device of each organization has it: a lessor that has not heard of it yet would decline jobs that need it. */
const RARE = 'logprobs'
/** All devices are connected by then. */
const CONNECTED_MS = 1_500
const VERSION = '1'
const GRACE_MS = 15_000
const SLOW_MS = 2_000
const RESTART_MS = 500
const MOST_CLIENTS = 15
const DEVICES_PER_ORGANIZATION = 3
/** Longer than the gateway takes between two pings. */
const SILENCE_MS = 8_000
const CHECK_MS = 1_000

export class SharedWorld extends World {
  readonly account = undefined
  override readonly isOrderly: boolean
  readonly database = new Database()
  readonly bus: MemoryBus
  readonly organizations: readonly string[]
  readonly steps: string[] = []
  readonly faults: Faults = {
    loss: 0,
    doubling: 0,
    slowness: 0,
    isDatabaseDead: false,
    isDatabaseStopped: false,
    cutFromDatabase: new Set(),
  }
  epochs = 0
  isBusDead = false
  hasPromises = false
  failure: unknown
  readonly #started = new Set<string>()
  readonly #onlyDevices: boolean
  /** Of each job: offers that the link of a device got, and those that its record counts. */
  readonly #offers = new Map<string, { sent: number; counted: number | undefined }>()
  /** Offers that found the link gone. */
  readonly #unsent = new Set<string>()
  #gateways = 0
  /** Of the one server. */
  #serverStarts: number | undefined

  constructor(random: Random, options: SharedOptions) {
    const { gateways, fault = {}, isOrderly = false, hasOneServer = false, onlyDevices = false } = options
    super(random, isOrderly || onlyDevices ? PATIENT : LIMITS, fault)
    this.isOrderly = isOrderly
    this.#onlyDevices = onlyDevices
    if (hasOneServer) this.#serverStarts = 1
    const { clock } = new Process(this.clock, { offsetMs: 0, speed: 1 })
    this.bus = new MemoryBus({ clock, onFault: (error) => this.fail(error) })
    this.bus.decide = () => this.#decide()
    this.organizations = ['acme', 'globex'].slice(0, random.between(1, 2))
    for (let count = 0; count < gateways; count++) this.startGateway()
    for (const organization of this.organizations)
      for (let count = 1; count <= DEVICES_PER_ORGANIZATION; count++) this.#addDevice(organization, count)
  }

  // Gateways.

  /** Those that trouble may happen to. */
  get exposed(): Gateway[] {
    return this.alive.filter(({ name }) => !this.isOrderly || !SERVING.includes(name))
  }

  /** A gateway that doesn't reach the bus doesn't start: whoever runs it tries again. */
  startGateway(): void {
    if (this.isBusDead) return this.clock.after(RESTART_MS, () => this.startGateway())
    const name = `gateway-${(this.#gateways += 1)}`
    this.say(`${name} starts`)
    // Clocks that differ by minutes, and run at slightly different speeds.
    const offsetMs = this.random.between(0, 600_000)
    const process = new Process(this.clock, { offsetMs, speed: 0.99 + this.random.fraction() / 50 })
    const bus = guarded(this.bus.connect(name, this.#server), process)
    const log = (fields: object, message: string) => this.say(`${name}: ${message} ${JSON.stringify(fields)}`)
    const shared = { bus, clock: process.clock, version: VERSION }
    const store = storeFor(this, name, process)
    const peers = new LivePeers({ ...shared, id: name, store, log: { info: log, warn: log }, graceMs: GRACE_MS })
    change(peers, 'onChange', (onChange) => (listener) => onChange(() => this.#attempt(listener)))
    const links = openPeerLinks<Message>({ ...shared, self: name, onFault: (error) => this.fail(error) })
    this.alive.push(new Gateway(this, name, process, peers, links))
  }

  get #server(): BusServer | undefined {
    return this.#serverStarts === undefined ? undefined : { id: `server-${this.#serverStarts}`, name: 'nats' }
  }

  /** All gateways, the bus and the database die at once, and come back after this time. */
  loseEverything(ms: number): void {
    const killed = this.alive.slice()
    for (const gateway of killed) this.kill(gateway)
    this.isBusDead = this.faults.isDatabaseDead = true
    this.bus.kill()
    this.clock.after(ms, () => {
      this.isBusDead = this.faults.isDatabaseDead = false
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

  watch({ home, hub }: Roles): void {
    if (!this.#onlyDevices) return
    change(home, 'start', (start) => (front, message) => {
      const { job, device, epoch } = message.start
      if (hub.links.find(device, epoch) === undefined) this.#foundGone(`${job} on ${device}, link ${epoch}`)
      else this.#offersOf(job).sent += 1
      start(front, message)
    })
  }

  #offersOf(job: string): { sent: number; counted: number | undefined } {
    const known = this.#offers.get(job) ?? { sent: 0, counted: undefined }
    this.#offers.set(job, known)
    return known
  }

  #foundGone(offer: string): void {
    demand(!this.#unsent.has(offer), () => `${offer} starts although its gateway knows that the link is gone`)
    this.#unsent.add(offer)
  }

  override recorded(record: JobRecord): void {
    super.recorded(record)
    // An offer may still be on its way when its client leaves.
    if (record.outcome.kind === 'cancelled') this.#offers.delete(record.ticket.job)
    else this.#offersOf(record.ticket.job).counted = record.attempts
  }

  checkOffers(): void {
    if (!this.#onlyDevices) return
    for (const [job, { sent, counted }] of this.#offers)
      demand(
        counted === undefined || sent === counted,
        () => `${job} was offered ${sent} times, and ${counted} are counted`,
      )
  }

  /** Like a load balancer: any gateway that takes connections. */
  #balance(): Gateway | undefined {
    const open = this.alive.filter(({ name, isLeaving }) => !isLeaving && (!this.isOrderly || SERVING.includes(name)))
    return open.length === 0 ? undefined : this.random.pick(open)
  }

  // Devices.

  #addDevice(organization: string, number: number): void {
    const models = oneModel(this.random)
    if (this.isOrderly && number === 1) models[0]!.features.push(RARE)
    const device = new Device(this, `${organization}-device-${number}`, organization, models)
    this.devices.set(device.id, device)
    this.linkLost(device)
    this.#check(device)
  }

  /** The device connects again, to any gateway. */
  linkLost(device: Device): void {
    this.clock.after(this.random.between(20, 600), () => this.#connect(device))
  }

  #connect(device: Device): void {
    const gateway = this.#balance()
    if (gateway === undefined) return this.linkLost(device)
    const link = new Link(device, gateway, this.clock, this.random.between(1, 30))
    device.heardAt = this.clock.now
    device.relink(link)
    const { id, organization } = device
    gateway.accept(
      { id, organization, name: id },
      (accept) => link.accepted(accept),
      () => link.deviceNotices(),
    )
  }

  /** A device that hears nothing for too long gives its link up: the gateway hears of it later. */
  #check(device: Device): void {
    this.clock.after(CHECK_MS, () => {
      if (device.link && this.clock.now - device.heardAt > SILENCE_MS) device.link.cut(0, this.random.between(1, 30))
      this.#check(device)
    })
  }

  fate(): Fate {
    return shortFate(this.random, this.isCalm || this.isOrderly)
  }

  started(device: Device, { job, attempt }: JobAttempt, what: string): undefined {
    this.say(`${what} starts (${device.working.size} slots taken)`)
    const key = `${job} ${attempt}`
    demand(!this.#started.has(key), () => `${what} starts twice`)
    const isOpenable = this.clients.get(job)?.ticket.sealedFor?.includes(device.id) ?? true
    demand(isOpenable, () => `${what} starts on a device that it was not sealed for`)
    demand(
      !this.isOrderly || !this.#started.has(job),
      () => `${what} starts, although nothing happened to the one before`,
    )
    this.#started.add(key).add(job)
  }

  past(): void {}

  // Clients.

  submitOne(): void {
    const { random } = this
    const gateway = this.#balance()
    if (gateway === undefined || this.clients.size >= MOST_CLIENTS) return
    const total = random.between(1, 30)
    const organization = random.pick(this.organizations)
    const ticket: Omit<Ticket, 'job'> = {
      organization,
      key: `key-${random.between(1, 2)}`,
      model: FIRST_MODEL,
      features: this.isOrderly && this.clock.now > CONNECTED_MS && this.submitted % 4 === 1 ? [RARE] : [],
      rerunnable: random.chance(0.4),
      cost: total,
      promptSize: 5,
      prefixes: [],
      ...this.#seal(organization),
    }
    this.submit(gateway, ticket, { total, hidden: 0, promptTokens: 2 })
  }

  /**
   * Every third job is sealed, for one device at least: nothing but its own devices can end a job's wait. In an orderly world, any device may
   * be the one that is left. Nothing is drawn for it, so that a world with other seals is the same world.
   */
  #seal(organization: string): { sealedFor?: string[] } {
    if (this.submitted % 3 > 0) return {}
    const own = [...this.devices.values()].filter((device) => device.organization === organization)
    const count = this.isOrderly ? own.length : 1 + (this.submitted % own.length)
    return { sealedFor: own.slice(-count).map(({ id }) => id) }
  }

  // The record of events.

  override say(what: string): void {
    this.steps.push(`${(this.clock.now / 1_000).toFixed(3).padStart(8)} s  ${what}`)
    for (let index = 0; index < what.length; index++) this.mix(what.charCodeAt(index))
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
    const { random, faults } = this
    if (this.#serverStarts !== undefined) return { delayMs: 1, isLost: false, isDoubled: false }
    const isSlow = random.chance(faults.slowness)
    // Where links of devices are all that is cut, others must have time to act on what they have not heard yet.
    const delayMs = isSlow ? random.between(100, SLOW_MS) : random.between(0, this.#onlyDevices ? 40 : 3)
    return { delayMs, isLost: random.chance(faults.loss), isDoubled: random.chance(faults.doubling) }
  }
}
