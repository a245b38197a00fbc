// The fleet of a gateway that runs alone: scheduler and hub in this process.

import { setTimeout as sleep } from 'node:timers/promises'
import type { PingIntervals } from './home/device-link.ts'
import type { DeviceModel } from '@hearth/protocol'
import { Hub, type Presence } from './home/hub.ts'
import { DEFAULT_LIMITS, type SchedulerLimits } from './scheduler/core/types.ts'
import { Scheduler } from './old-scheduler.ts'
import { ChangeWatch } from './change-watch.ts'
import { describeStats } from './describe-stats.ts'
import type {
  Conflict,
  DefaultsSource,
  DeviceConnection,
  DeviceIdentity,
  DeviceSocket,
  Fleet,
  FleetChange,
  FleetStats,
  FleetView,
  JobHandle,
  JobRecord,
  ModelAnswer,
  ModelAsk,
  ModelRelay,
  Reply,
  SerializedJob,
  Ticket,
  WaitingJob,
} from './fleet.ts'
import { takeView } from './take-view.ts'

export interface LocalFleetOptions {
  pingIntervals: PingIntervals
  limits: Partial<SchedulerLimits>
  /** How often load is compared to find out whether a view has changed. */
  compareMs: number
  /** The number of the next link. Of two links of a device, the later one must get the higher number. */
  nextEpoch: () => Promise<number>
  defaults: DefaultsSource
  onRecord: (record: JobRecord) => void
  onPresence: (device: DeviceIdentity, presence: Presence) => void
  onConflict: (device: DeviceIdentity, conflict: Conflict) => void
  /** Called when a device connects or its models change. */
  onModels: (device: DeviceIdentity, models: readonly DeviceModel[]) => void
}

const DRAIN_POLL_MS = 50

export class LocalFleet implements Fleet {
  readonly #hub: Hub
  readonly #scheduler: Scheduler
  readonly #changes: ChangeWatch
  readonly #nextEpoch: () => Promise<number>

  constructor(options: LocalFleetOptions) {
    const { limits, compareMs, nextEpoch, onRecord, onPresence, onConflict, onModels } = options
    this.#hub = new Hub({
      intervals: options.pingIntervals,
      defaults: options.defaults,
      onPresence: (device, presence) => {
        onPresence(device, presence)
        this.#changes.announce(device.organization, 'devices', 'models')
      },
      onConflict: (device, conflict) => {
        onConflict(device, conflict)
        this.#changes.announce(device.organization, 'devices')
      },
      onModels,
      onReport: ({ organization }) => this.#changes.announce(organization, 'devices'),
    })
    this.#scheduler = new Scheduler({ links: this.#hub, limits: { ...DEFAULT_LIMITS, ...limits }, onRecord })
    this.#changes = new ChangeWatch(() => this.#scheduler.stats(), compareMs)
    this.#nextEpoch = nextEpoch
  }

  submit(ticket: Ticket, job: SerializedJob, reply: Reply): JobHandle {
    return this.#scheduler.submit(ticket, job, reply)
  }

  async waiting(key: string): Promise<readonly WaitingJob[]> {
    return this.#scheduler.waiting(key)
  }

  async view(organization: string): Promise<FleetView> {
    return takeView(organization, this.#hub.linksOf(organization), this.#scheduler.stats())
  }

  onChange(organization: string, listener: (change: FleetChange) => void): () => void {
    return this.#changes.listen(organization, listener)
  }

  askModel(organization: string, device: string, ask: ModelAsk): Promise<ModelAnswer> {
    return this.#hub.askModel(organization, device, ask)
  }

  get relay(): ModelRelay {
    return this.#hub.relay
  }

  stats(): FleetStats {
    const stats = this.#scheduler.stats()
    const served = stats.served
      .filter(({ slots, isDraining }) => slots > 0 && !isDraining)
      .map(({ organization, model }) => ({ organization, model }))
    return { ...describeStats(this.#hub, stats), served }
  }

  keyRevoked(key: string): void {
    this.#scheduler.keyRevoked(key)
  }

  modelClosed(organization: string, model: string): void {
    this.#scheduler.modelClosed(organization, model)
  }

  pauseChanged(device: string, isPaused: boolean): void {
    this.#scheduler.pauseChanged(device, isPaused)
  }

  defaultsChanged(models: readonly { organization: string; name: string }[]): void {
    this.#hub.defaultsChanged(models)
  }

  disconnect(device: string): void {
    this.#hub.disconnect(device)
  }

  async accessChanged(): Promise<void> {}

  async accept(device: DeviceIdentity): Promise<(socket: DeviceSocket) => DeviceConnection> {
    const epoch = await this.#nextEpoch()
    return (socket) => this.#hub.accept(device, epoch, socket)
  }

  async drain(limitMs: number): Promise<void> {
    const until = performance.now() + limitMs
    while (this.#scheduler.runCount > 0 && performance.now() < until) await sleep(DRAIN_POLL_MS)
    this.#hub.announceRestart()
    this.#scheduler.shutdown()
    this.#hub.close()
    this.#changes.close()
  }
}
