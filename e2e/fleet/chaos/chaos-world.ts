// Gateways that can be killed, suspended and cut off, with devices that connect again and clients that choose their gateway.

import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { makeDataFolder, openStore, winnerOf, type JobPlan } from '@hearth/gateway/testing'
import { Client } from '../../harness/client/client.ts'
import { DEADLINE_MS } from '../../harness/deadline.ts'
import { enrolDevice } from '../../harness/enrol-device.ts'
import { removeFolder } from '../../harness/remove-folder.ts'
import { seedStore, type Seed } from '../../harness/seed.ts'
import { startFleet, type FleetProcess } from '../../harness/start-fleet.ts'
import { SentRequest } from './sent-request.ts'
import { openGatewayLines, type GatewayLines } from './gateway-lines.ts'
import { SteadyDevice } from './steady-device.ts'

export interface ChaosOptions {
  gateways: number
  devices: number
  slots: number
}

const SETTINGS = { READY_GRACE_MS: '1', DRAIN_MS: '1000', DEVICE_WAIT_MS: '60000' }
const LOOK_AGAIN_MS = 20
/** Of a gateway in its own log, when it has joined. */
const OWN_ID = /"gateway":"([^"]+)"[^\n]*"peers changed"/

export class ChaosWorld implements AsyncDisposable {
  readonly fleet: FleetProcess
  readonly lines: readonly GatewayLines[]
  readonly slots: number
  readonly devices: SteadyDevice[] = []
  /** All that never may happen, and did. */
  readonly problems: string[] = []
  /** Where devices connect. */
  homes: readonly number[]
  readonly #seed: Seed
  readonly #plans = new Map<string, JobPlan>()
  readonly #stack: AsyncDisposableStack
  #count = 0

  static async start(options: ChaosOptions): Promise<ChaosWorld> {
    await using stack = new AsyncDisposableStack()
    const folder = stack.adopt(await makeDataFolder(), removeFolder)
    const lines: GatewayLines[] = []
    const fleet = await startFleet({
      count: options.gateways,
      settings: { ...SETTINGS, USAGE_JOURNAL: join(folder, 'usage-journal') },
      between: async (servers, index) => {
        lines[index] ??= stack.use(await openGatewayLines(servers, join(folder, `lines-${index}`)))
        return lines[index].servers
      },
    })
    stack.use(fleet)
    const store = await openStore(fleet.databaseUrl)
    const seed = await seedStore(store)
    const world = new ChaosWorld(fleet, lines, seed, options.slots, stack.move())
    const place = { origin: world.origin(0), organization: seed.organizations.home }
    for (let index = 0; index < options.devices; index++) world.#addDevice((await enrolDevice(store, place)).credential)
    await store.close()
    await world.#allReady()
    return world
  }

  private constructor(
    fleet: FleetProcess,
    lines: readonly GatewayLines[],
    seed: Seed,
    slots: number,
    stack: AsyncDisposableStack,
  ) {
    this.fleet = fleet
    this.lines = lines
    this.slots = slots
    this.homes = fleet.replicas.map((_, index) => index)
    this.#seed = seed
    this.#stack = stack
  }

  get gateways(): readonly number[] {
    return this.fleet.replicas.map((_, index) => index)
  }

  origin(gateway: number): string {
    return this.fleet.replicas[gateway]!.origin
  }

  client(gateway: number): Client {
    return new Client(`${this.origin(gateway)}/openai/v1`, this.#seed.keys.home)
  }

  /** The gateway that schedules the organization, if all have joined. */
  scheduler(): number {
    const ids = this.fleet.replicas.map((replica) => OWN_ID.exec(replica.output())?.[1] ?? '')
    return ids.indexOf(winnerOf(this.#seed.organizations.home, ids) ?? '')
  }

  ask(gateway: number, plan: JobPlan & { tokens: number }, isStream = true): SentRequest {
    const name = `question ${++this.#count}`
    this.#plans.set(name, plan)
    const asked = new SentRequest({ client: this.client(gateway), name, tokens: plan.tokens, isStream })
    void asked.ended.then(() => this.#plans.delete(name))
    return asked
  }

  /** Devices use these gateways from now on; those that are elsewhere move. Resolves when all are linked. */
  async placeDevices(homes: readonly number[]): Promise<void> {
    this.homes = homes
    const elsewhere = this.devices.filter(({ home }, index) => home !== this.#choose(index))
    await Promise.all(elsewhere.map((device) => device.move()))
    await this.allLinked()
  }

  async allLinked(): Promise<void> {
    await this.until('all devices are linked', () => this.devices.every(({ home }) => home !== undefined))
  }

  /** Resolves once every gateway knows all that was created, and answers. */
  async #allReady(): Promise<void> {
    await this.allLinked()
    for (const gateway of this.gateways)
      await this.until(
        `gateway ${gateway} answers`,
        async () => (await this.ask(gateway, { tokens: 1 }).ended).kind === 'done',
      )
  }

  /** Resolves once all gateways hear each other and agree on who schedules what. */
  async allAgree(): Promise<void> {
    for (const gateway of this.gateways)
      await this.until(`gateway ${gateway} agrees with the others`, async () => {
        const response = await fetch(`${this.origin(gateway)}/readyz`)
        const { status } = (await response.json()) as { status: string }
        return status === 'ready'
      })
  }

  async until(what: string, condition: () => boolean | Promise<boolean>): Promise<void> {
    const limit = performance.now() + DEADLINE_MS
    while (!(await condition())) {
      if (performance.now() > limit) throw new Error(`This did not happen: ${what}`)
      await sleep(LOOK_AGAIN_MS)
    }
  }

  /** Devices spread evenly. One that isn't let in tries the next gateway. */
  #choose(device: number, attempt = 0): string {
    return this.origin(this.homes[(device + attempt) % this.homes.length]!)
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const device of this.devices) await device[Symbol.asyncDispose]()
    await this.#stack[Symbol.asyncDispose]()
  }

  #addDevice(credential: string): void {
    const index = this.devices.length
    const device = new SteadyDevice({
      credential,
      slots: this.slots,
      plan: ({ messages: [message] }) => this.#plans.get(message!.content) ?? { tokens: 0 },
      choose: (attempt) => this.#choose(index, attempt),
      onProblem: (what) => this.problems.push(what),
    })
    this.devices.push(device)
  }
}
