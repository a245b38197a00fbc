// The events in a world of one gateway: clients come and go, links break and return, devices change their models, administrators disable
// models and revoke keys, and false reports arrive.

import { FEATURES } from '@hearth/protocol'
import type { Ticket } from '../terms/job.ts'
import { checkBounds } from './account/check-all.ts'
import type { Device } from './actors/device.ts'
import { changesNothing, reportFalsely } from './false-reports.ts'
import type { LoneWorld } from './world.ts'
import { allModels, MODELS, someModels, toggleFeature, withPresence } from './actors/models.ts'
import { demand } from './violation.ts'

const ORGANIZATIONS = ['north', 'south', 'west']
/** How many events show nothing, in some replies. */
const HIDDEN = 5
const KEYS_PER_ORGANIZATION = 4
const MOST_DEVICES_PER_ORGANIZATION = 6

export class Weather {
  readonly #world: LoneWorld
  #submitEveryMs = 100

  constructor(world: LoneWorld) {
    this.#world = world
    world.startGateway()
    for (const organization of ORGANIZATIONS) this.#settleIn(organization)
    this.#repeat(2_000, () => this.#changeWeather())
    this.#repeat(200, () => reportFalsely(world))
    this.#repeat(2_000, () => this.#toggleFeature())
    this.#repeat(1_000, () => this.#freeze())
    this.#repeat(500, () => this.#unload())
    this.#repeat(1_000, () => this.#interruptLate())
    this.#repeat(600, () => this.#handOver())
    this.#repeat(3_000, () => this.#runOutOfMemory())
    this.#repeat(30_000, () => this.#closeModel())
    this.#repeat(20_000, () => this.#revokeKey())
  }

  /** From now on nothing goes wrong: every device gets a new link, and each organization gets a device that can do everything. */
  calm(): void {
    const world = this.#world
    world.calmAt = world.clock.now
    for (const device of world.devices.values()) this.#cut(device)
    for (const organization of ORGANIZATIONS) world.connect(world.addDevice(organization, 'healer', allModels()))
  }

  #settleIn(organization: string): void {
    const { random } = this.#world
    const count = random.between(1, MOST_DEVICES_PER_ORGANIZATION)
    for (let index = 0; index < count; index++) {
      const device = this.#world.addDevice(organization, String(index), someModels(random))
      this.#once(3_000, () => this.#comeUp(device))
    }
    this.#submitNext(organization)
  }

  #submitNext(organization: string): void {
    this.#once(this.#submitEveryMs, () => {
      this.#submit(organization)
      this.#submitNext(organization)
    })
  }

  #submit(organization: string): void {
    const world = this.#world
    const { random, gateway, account } = world
    const promptSize = random.between(10, 5_000)
    const ticket = this.#ticket(organization, promptSize)
    // A gateway can't tell which events of a sealed reply show nothing.
    const hidden = ticket.sealedFor === undefined && random.chance(0.3) ? HIDDEN : 0
    const wish = { total: random.between(0, 80), hidden, promptTokens: promptSize }
    const client = world.submit(gateway, ticket, wish)
    account.settled()
    if (random.chance(0.05)) checkBounds(account, client.known!)
    if (random.chance(0.15)) this.#once(6_000, () => client.leave())
  }

  #ticket(organization: string, promptSize: number): Omit<Ticket, 'job'> {
    const { random } = this.#world
    return {
      organization,
      key: `${organization}-key-${random.between(1, KEYS_PER_ORGANIZATION)}`,
      model: random.pick(MODELS),
      features: random.chance(0.7) ? [] : random.some(FEATURES, 0.15),
      rerunnable: random.chance(0.4),
      cost: random.between(10, 1_000),
      promptSize,
      prefixes: [
        { hash: random.between(0, 500), size: promptSize >> 1 },
        { hash: random.bits(), size: promptSize },
      ],
      ...(random.chance(0.3) && { sealedFor: this.#someDevices(organization) }),
    }
  }

  #someDevices(organization: string): string[] {
    const own = [...this.#world.devices.values()].filter((device) => device.organization === organization)
    return this.#world.random.some(own, 0.5).map(({ id }) => id)
  }

  #comeUp(device: Device): void {
    const world = this.#world
    const { random } = world
    if (random.chance(0.3)) device.models = someModels(random)
    world.connect(device)
    const luck = random.fraction()
    if (luck < 0.2) this.#once(60_000, () => this.#drain(device))
    else if (luck < 0.4) this.#once(60_000, () => this.#changeModels(device))
    if (random.chance(0.15)) this.#once(60_000, () => this.#takeOver(device))
    else this.#once(60_000, () => this.#goDown(device))
  }

  #goDown(device: Device): void {
    this.#cut(device)
    this.#once(8_000, () => this.#comeUp(device))
  }

  #cut({ link }: Device): void {
    link?.deviceNotices()
    link?.end()
    this.#world.account.settled()
  }

  /** A second link of the same device. The news that the first one is gone comes later, and must not affect the second. */
  #takeOver(device: Device): void {
    const old = device.link
    const own = [...device.working.values()]
    this.#comeUp(device)
    this.#once(100, () => changesNothing(this.#world, () => old?.end()))
    for (const { of } of own) changesNothing(this.#world, () => old?.say({ type: 'job-cancelled', ...of }))
  }

  #drain(device: Device): void {
    if (device.isUp) device.tell({ type: 'drain' })
  }

  #changeModels(device: Device): void {
    if (device.isUp) device.announce(someModels(this.#world.random))
  }

  #toggleFeature(): void {
    const world = this.#world
    const device = world.random.pick([...world.devices.values()])
    if (!device.isUp || device.models.length === 0) return
    device.announce(toggleFeature(device.models, world.random))
    // Saying it again changes nothing.
    this.#once(400, () => device.announce([...device.models]))
  }

  /** A device makes room for another model, or the keep-alive of an idle one is over. */
  #unload(): void {
    const world = this.#world
    const device = world.random.pick([...world.devices.values()])
    const idle = device.models.filter(({ name }) => !isUsed(device, name))
    if (!device.isUp || idle.length === 0) return
    const models = withPresence(
      device.models,
      world.random.pick(idle).name,
      'loadable',
      world.random.between(50, 4_000),
    )
    device.announce(models)
  }

  /** A device does nothing for a while, and then all that it missed. */
  #freeze(): void {
    const { random, devices, clock } = this.#world
    random.pick([...devices.values()]).frozenUntil = clock.now + random.between(1, 800)
  }

  /** Something happens to a job while two devices have it. */
  #interruptLate(): void {
    const { random, clients } = this.#world
    const hedged = [...clients.values()].find(({ known }) => known?.tries.length === 2)
    if (hedged === undefined) return
    if (random.chance(0.5)) hedged.leave()
    else this.#closeModelOf(hedged.ticket)
  }

  /** The owner of a device wants it back. Some keep announcing their models. */
  #handOver(): void {
    const world = this.#world
    const device = world.random.pick([...world.devices.values()])
    if (!device.isUp) return
    if (world.random.chance(0.1)) this.#withdraw(device)
    for (const attempt of device.working.values()) device.say(attempt, { type: 'job-hand-over', ...attempt.of })
  }

  #withdraw(device: Device): void {
    const { models } = device
    if (models.length === 0) return
    device.announce([])
    this.#once(2_000, () => {
      if (device.models.length === 0) device.announce(models)
    })
  }

  #runOutOfMemory(): void {
    const { random, clients } = this.#world
    const running = [...clients.values()].filter(({ known }) => known?.isWaiting === false)
    if (running.length > 0) random.pick(running).runOutOfMemory()
  }

  #changeWeather(): void {
    this.#submitEveryMs = this.#world.random.pick([50, 150, 300, 800])
  }

  #closeModel(): void {
    const { random } = this.#world
    this.#closeModelOf({ organization: random.pick(ORGANIZATIONS), model: random.pick(MODELS) })
  }

  #closeModelOf({ organization, model }: Pick<Ticket, 'organization' | 'model'>): void {
    const { account, gateway } = this.#world
    account.closeModel(organization, model)
    gateway.fleet.modelClosed(organization, model)
  }

  #revokeKey(): void {
    const { random, clients, gateway } = this.#world
    const key = `${random.pick(ORGANIZATIONS)}-key-${random.between(1, KEYS_PER_ORGANIZATION)}`
    const own = [...clients.values()].filter(({ ticket }) => ticket.key === key)
    for (const { known } of own) known!.allowed.push('key-revoked')
    gateway.fleet.keyRevoked(key)
    demand(
      own.every((client) => client.isOver),
      () => `jobs of ${key} continue although it is revoked`,
    )
  }

  #once(aboutMs: number, happen: () => void): void {
    this.#world.later(this.#world.random.between(1, 2 * aboutMs), happen)
  }

  #repeat(aboutMs: number, happen: () => void): void {
    this.#once(aboutMs, () => {
      happen()
      this.#repeat(aboutMs, happen)
    })
  }
}

function isUsed({ working }: Device, model: string): boolean {
  return [...working.values()].some((attempt) => attempt.model === model)
}
