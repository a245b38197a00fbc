// The devices and clients of several gateways. Devices connect again whenever they lose their link.

import type { Ticket } from '../terms/job.ts'
import type { Device } from './actors/device.ts'
import { FIRST_MODEL, oneModel } from './actors/models.ts'
import type { World } from './world.ts'

/** In an orderly world, one device of each organization has it: a scheduler that has not heard of it yet would decline jobs that need it. */
const RARE = 'logprobs'
/** All devices are connected by then. */
const CONNECTED_MS = 1_500
const MOST_CLIENTS = 15
const DEVICES_PER_ORGANIZATION = 3
/** Longer than the gateway takes between two pings. */
const SILENCE_MS = 8_000
const CHECK_MS = 1_000

export class Crowd {
  readonly organizations: readonly string[]
  readonly #world: World

  constructor(world: World) {
    this.#world = world
    this.organizations = ['acme', 'globex'].slice(0, world.random.between(1, 2))
    for (let count = 0; count < world.gateways; count++) world.startGateway()
    for (const organization of this.organizations)
      for (let count = 1; count <= DEVICES_PER_ORGANIZATION; count++) this.#addDevice(organization, count)
  }

  #addDevice(organization: string, number: number): void {
    const world = this.#world
    const models = oneModel(world.random)
    if (world.isOrderly && number === 1) models[0]!.features.push(RARE)
    const device = world.addDevice(organization, `device-${number}`, models)
    world.linkLost(device)
    this.#check(device)
  }

  /** A device that hears nothing for too long gives its link up: the gateway hears of it later. */
  #check(device: Device): void {
    const { clock, random } = this.#world
    clock.after(CHECK_MS, () => {
      if (device.link && clock.now - device.heardAt > SILENCE_MS) device.link.cut(0, random.between(1, 30))
      this.#check(device)
    })
  }

  submitUntil(ms: number, everyMs: number): void {
    const { clock, random } = this.#world
    if (clock.now >= ms) return
    this.submitOne()
    clock.after(random.between(1, 2 * everyMs), () => this.submitUntil(ms, everyMs))
  }

  submitOne(): void {
    const world = this.#world
    const { random, submitted } = world
    const gateway = world.balance()
    if (gateway === undefined || world.clients.size >= MOST_CLIENTS) return
    const total = random.between(1, 30)
    const organization = random.pick(this.organizations)
    const ticket: Omit<Ticket, 'job'> = {
      organization,
      key: `key-${random.between(1, 2)}`,
      model: FIRST_MODEL,
      features: world.isOrderly && world.clock.now > CONNECTED_MS && submitted % 4 === 1 ? [RARE] : [],
      rerunnable: random.chance(0.4),
      cost: total,
      promptSize: 5,
      prefixes: [],
      ...this.#seal(organization),
    }
    world.submit(gateway, ticket, { total, hidden: 0, promptTokens: 2 })
  }

  /**
   * Every third job is sealed, for one device at least: nothing but its own devices can end a job's wait. In an orderly world, any device may
   * be the one that is left. Nothing is drawn for it, so that a world with other seals is the same world.
   */
  #seal(organization: string): { sealedFor?: string[] } {
    const { submitted, devices, isOrderly } = this.#world
    if (submitted % 3 > 0) return {}
    const own = [...devices.values()].filter((device) => device.organization === organization)
    const count = isOrderly ? own.length : 1 + (submitted % own.length)
    return { sealedFor: own.slice(-count).map(({ id }) => id) }
  }
}
