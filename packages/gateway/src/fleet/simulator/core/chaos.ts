// Makes things happen in a simulated world: clients come and go, links break and return, devices change their models, administrators
// disable models and revoke keys, and false reports arrive.

import { FEATURES } from '@hearth/protocol'
import type { Reporter, Ticket } from '../../scheduler/core/types.ts'
import { checkBounds } from './checks.ts'
import { Device, allModels, someModels, toggleFeature, withPresence } from './device.ts'
import { demand } from '../violation.ts'
import type { World } from './world.ts'

const ORGANIZATIONS = ['north', 'south', 'west']
const MODELS = ['small', 'large', 'coder']
const KEYS_PER_ORGANIZATION = 4
const MOST_DEVICES_PER_ORGANIZATION = 6

export class Chaos {
  readonly #world: World
  #submitEveryMs = 60

  constructor(world: World) {
    this.#world = world
    for (const organization of ORGANIZATIONS) this.#settleIn(organization)
    this.#repeat(2_000, () => this.#changeWeather())
    this.#repeat(200, () => this.#reportFalsely())
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
    world.isCalm = true
    for (const device of world.devices.values()) world.linkDown(device)
    for (const organization of ORGANIZATIONS) {
      const device = new Device(`${organization}-healer`, organization, world.random)
      device.models = allModels(MODELS)
      world.devices.set(device.id, device)
      world.linkUp(device)
    }
  }

  #settleIn(organization: string): void {
    const { random, devices } = this.#world
    const count = random.between(1, MOST_DEVICES_PER_ORGANIZATION)
    for (let index = 0; index < count; index++) {
      const device = new Device(`${organization}-${index}`, organization, random)
      device.models = someModels(MODELS, random)
      devices.set(device.id, device)
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
    const client = world.submit(this.#ticket(organization))
    if (world.random.chance(0.05)) checkBounds(world, client)
    if (world.random.chance(0.15)) this.#once(6_000, () => world.leave(client))
  }

  #ticket(organization: string): Ticket {
    const { random, submitted } = this.#world
    const promptSize = random.between(10, 5_000)
    return {
      job: `job-${submitted}`,
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
    }
  }

  #comeUp(device: Device): void {
    const world = this.#world
    const { random } = world
    if (random.chance(0.3)) device.models = someModels(MODELS, random)
    world.linkUp(device)
    const luck = random.fraction()
    if (luck < 0.2) this.#once(60_000, () => this.#drain(device))
    else if (luck < 0.4) this.#once(60_000, () => this.#changeModels(device))
    if (random.chance(0.15)) this.#once(60_000, () => this.#takeOver(device))
    else this.#once(60_000, () => this.#goDown(device))
  }

  #goDown(device: Device): void {
    this.#world.linkDown(device)
    this.#once(8_000, () => this.#comeUp(device))
  }

  /** A second link of the same device. The news that the first one is gone comes later, and must not affect the second. */
  #takeOver(device: Device): void {
    const world = this.#world
    const before = device.epoch
    this.#comeUp(device)
    this.#once(100, () => this.#changesNothing(() => world.core.deviceDown(device.id, before, world.now)))
    this.#changesNothing(() => world.core.deviceUp({ ...device.linked, epoch: before }, world.now))
  }

  #drain(device: Device): void {
    if (!device.isUp) return
    device.isDraining = true
    this.#world.core.deviceDraining(device.id, device.epoch, this.#world.now)
    this.#world.settle()
  }

  #changeModels(device: Device): void {
    if (device.isUp) this.#world.changeModels(device, someModels(MODELS, this.#world.random))
  }

  #toggleFeature(): void {
    const world = this.#world
    const device = world.random.pick([...world.devices.values()])
    if (!device.isUp || device.models.length === 0) return
    world.changeModels(device, toggleFeature(device.models, world.random))
    this.#changesNothing(() => world.core.deviceModels(device.id, device.epoch, device.models, world.now))
  }

  /** A device makes room for another model, or the keep-alive of an idle one is over. */
  #unload(): void {
    const world = this.#world
    const device = world.random.pick([...world.devices.values()])
    const idle = device.models.filter(({ name }) => device.served.get(name)?.held === 0)
    if (!device.isUp || idle.length === 0) return
    const models = withPresence(
      device.models,
      world.random.pick(idle).name,
      'loadable',
      world.random.between(50, 4_000),
    )
    world.changeModels(device, models)
  }

  /** A device does nothing for a while, and then all that it missed. */
  #freeze(): void {
    const { random, devices, now } = this.#world
    random.pick([...devices.values()]).frozenUntil = now + random.between(1, 800)
  }

  /** Something happens to a job while two devices have it. */
  #interruptLate(): void {
    const { random, clients } = this.#world
    const hedged = [...clients.values()].find((client) => client.tries.length === 2)
    if (hedged === undefined) return
    if (random.chance(0.5)) this.#world.leave(hedged)
    else this.#closeModelOf(hedged.ticket)
  }

  /** The owner of a device wants it back. Some keep announcing their models. */
  #handOver(): void {
    const world = this.#world
    const device = world.random.pick([...world.devices.values()])
    if (!device.isUp) return
    if (world.random.chance(0.1)) this.#withdraw(device)
    const own = [...world.attempts].filter((attempt) => attempt.device === device)
    for (const attempt of own) world.handOver(attempt)
  }

  #withdraw(device: Device): void {
    const world = this.#world
    const { models } = device
    if (models.length === 0) return
    world.changeModels(device, [])
    this.#once(2_000, () => {
      if (device.models.length > 0) return
      if (device.isUp) world.changeModels(device, models)
      else device.models = models
    })
  }

  #runOutOfMemory(): void {
    const { random, clients } = this.#world
    const running = [...clients.values()].filter((client) => !client.isWaiting)
    if (running.length > 0) this.#world.runOutOfMemory(random.pick(running))
  }

  #changeWeather(): void {
    this.#submitEveryMs = this.#world.random.pick([30, 100, 200, 500])
  }

  #closeModel(): void {
    const { random } = this.#world
    this.#closeModelOf({ organization: random.pick(ORGANIZATIONS), model: random.pick(MODELS) })
  }

  #closeModelOf({ organization, model }: Pick<Ticket, 'organization' | 'model'>): void {
    const { clients, core, now } = this.#world
    for (const client of clients.values()) {
      if (client.ticket.organization !== organization || client.ticket.model !== model) continue
      client.isModelClosed = true
      if (client.isWaiting) client.allowed.push('model-disabled')
    }
    core.modelClosed(organization, model, now)
    this.#world.settle()
  }

  #revokeKey(): void {
    const { random, clients, core, now } = this.#world
    const key = `${random.pick(ORGANIZATIONS)}-key-${random.between(1, KEYS_PER_ORGANIZATION)}`
    const own = [...clients.values()].filter((client) => client.ticket.key === key)
    for (const client of own) client.allowed.push('key-revoked')
    core.keyRevoked(key, now)
    this.#world.settle()
    demand(
      own.every((client) => client.isFinished),
      () => `jobs of ${key} go on although it is revoked`,
    )
  }

  /** A report on an attempt that is over, or from the wrong device, link or attempt. */
  #reportFalsely(): void {
    const { random, past, devices, attempts } = this.#world
    if (past.length === 0) return
    const device = random.pick([...devices.values()])
    const running = [...attempts].filter((attempt) => attempt.device === device)
    const isForged = running.length > 0 && random.chance(0.5)
    this.#report(isForged ? this.#forge(random.pick(running).reporter) : random.pick(past).reporter)
  }

  #forge(reporter: Reporter): Reporter {
    const { random, devices } = this.#world
    const luck = random.fraction()
    if (luck < 0.4) return { ...reporter, epoch: reporter.epoch + random.pick([-1, 1]) }
    if (luck < 0.7) return { ...reporter, attempt: reporter.attempt + 100 }
    return { ...reporter, device: random.pick([...devices.keys()].filter((id) => id !== reporter.device)) }
  }

  #report(from: Reporter): void {
    const { core, now, random } = this.#world
    const failure = { retryable: false, crashed: true, error: { code: 'failed', message: 'late' } }
    const reports = [
      () => core.accepted(from, now),
      () => core.refused(from, 'unsupported', now),
      () => core.progress(from, 7, now),
      () => core.failed(from, failure, now),
      () => core.faulted(from, now),
      () => core.cancelConfirmed(from, now),
      () =>
        demand(
          core.receive(from, random.between(0, 3), 1, now) === 'drop',
          () => `a false report on ${from.job} is delivered`,
        ),
      () =>
        demand(
          core.ended(from, random.between(0, 3), { prompt: 5, completion: 5 }, now) === 'drop',
          () => `a false end of ${from.job} is delivered`,
        ),
    ]
    this.#changesNothing(random.pick(reports))
  }

  #changesNothing(say: () => void): void {
    say()
    demand(this.#world.core.effects.length === 0, () => 'a report that should be dropped had an effect')
  }

  #once(aboutMs: number, happen: () => void): void {
    const { clock, random } = this.#world
    clock.after(random.between(1, 2 * aboutMs), () => {
      if (!this.#world.isCalm) happen()
    })
  }

  #repeat(aboutMs: number, happen: () => void): void {
    this.#once(aboutMs, () => {
      happen()
      this.#repeat(aboutMs, happen)
    })
  }
}
