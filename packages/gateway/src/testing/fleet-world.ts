// One or more gateways that share their devices, for the fleet's contract tests. Requests come in at the first gateway, devices connect to
// the last one: with several gateways, everything the tests claim has to hold across them.

import type { ModelDefaults } from '@hearth/protocol'
import { onTestFinished } from 'vitest'
import type {
  Conflict,
  DefaultsSource,
  DeviceIdentity,
  Fleet,
  FleetStats,
  FleetView,
  JobRecord,
  Presence,
  Start,
  Ticket,
} from '../fleet/fleet.ts'
import { MemoryDevice, type MemoryDeviceOptions } from './memory-device.ts'
import { RecordedJob } from './recorded-job.ts'
import { Watchers } from './watchers.ts'

export interface FleetSetup {
  /** How long a job waits for a device. */
  waitMs: number
  defaults: DefaultsSource
  onRecord: (record: JobRecord) => void
  onPresence: (device: DeviceIdentity, presence: Presence) => void
  onConflict: (device: DeviceIdentity, conflict: Conflict) => void
  onForeignStart?: (front: string, start: Start) => void
}

export type OpenGateways = (setup: FleetSetup) => Promise<readonly Fleet[]>

const DEADLINE_MS = 150_000

export class FleetWorld {
  readonly records: JobRecord[] = []
  readonly presence: { device: string; isLinked: boolean }[] = []
  readonly conflicts: { device: string; address: string }[] = []
  /** By model, for every organization. */
  readonly defaults = new Map<string, ModelDefaults>()
  #gateways: readonly Fleet[] = []
  readonly #watchers = new Watchers()

  /** Closes at the end of the test. */
  static async open(openGateways: OpenGateways, waitMs = 60_000): Promise<FleetWorld> {
    const world = new FleetWorld()
    world.#gateways = await openGateways({
      waitMs,
      defaults: { defaultsOf: (_organization, model) => world.defaults.get(model), templatedModels: () => [] },
      onRecord: (record) => {
        world.records.push(record)
        world.#watchers.look()
      },
      onPresence: ({ id }, { isLinked }) => {
        world.presence.push({ device: id, isLinked })
        world.#watchers.look()
      },
      onConflict: ({ id }, { address }) => world.conflicts.push({ device: id, address }),
    })
    onTestFinished(() => world.drain(0))
    return world
  }

  /** With a device `d`. */
  static async serving(openGateways: OpenGateways, more: Omit<MemoryDeviceOptions, 'id'> = {}) {
    const world = await FleetWorld.open(openGateways)
    return { world, device: await world.connect('d', more) }
  }

  /** With a job that device `d` has accepted. */
  static async running(openGateways: OpenGateways, { job: id = 'j', ...more }: Partial<Ticket> = {}) {
    const { world, device } = await FleetWorld.serving(openGateways)
    const job = world.submit(id, more)
    return { world, device, job, attempt: await device.accepts(id) }
  }

  get front(): Fleet {
    return this.#gateways[0]!
  }

  get home(): Fleet {
    return this.#gateways.at(-1)!
  }

  connect(id: string, more: Omit<MemoryDeviceOptions, 'id'> = {}): Promise<MemoryDevice> {
    return MemoryDevice.connect(this.home, { id, ...more })
  }

  submit(job: string, more: Partial<Ticket> = {}): RecordedJob {
    return new RecordedJob(this.front, { job, ...more })
  }

  /** Every gateway finds out about a change on its own, from the store. */
  tell(change: (fleet: Fleet) => void): void {
    for (const gateway of this.#gateways) change(gateway)
  }

  async drain(limitMs: number): Promise<void> {
    await Promise.all(this.#gateways.map((gateway) => gateway.drain(limitMs)))
  }

  /** One number, summed over all gateways. */
  total(name: Exclude<keyof FleetStats, 'served' | 'between'>): number {
    return this.#gateways.reduce((sum, gateway) => sum + gateway.stats()[name], 0)
  }

  async recorded(job: string): Promise<JobRecord> {
    const find = () => this.records.find(({ ticket }) => ticket.job === job)
    await this.#watchers.until(`${job} is recorded`, () => find() !== undefined, DEADLINE_MS)
    return find()!
  }

  async noted(device: string, isLinked: boolean): Promise<void> {
    const isNoted = () => this.presence.some((one) => one.device === device && one.isLinked === isLinked)
    await this.#watchers.until(`${device} is ${isLinked ? 'there' : 'gone'}`, isNoted, DEADLINE_MS)
  }

  /** All gateways have heard what the first one had to say until now. */
  async isHeard(): Promise<void> {
    await this.front.view('acme')
  }

  /** The first view that meets the condition; looks again whenever the fleet announces a change. */
  async sees(condition: (view: FleetView) => boolean, organization = 'acme'): Promise<FleetView> {
    const { promise, resolve, reject } = Promise.withResolvers<FleetView>()
    const look = async () => {
      const view = await this.front.view(organization)
      if (condition(view)) resolve(view)
    }
    const stop = this.front.onChange(organization, () => void look().catch(reject))
    const timer = setTimeout(() => reject(new Error('The expected view did not come')), DEADLINE_MS)
    await look()
    return promise.finally(() => {
      clearTimeout(timer)
      stop()
    })
  }
}
