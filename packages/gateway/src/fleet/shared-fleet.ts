// The fleet of several gateways that act as one. Each is the front of its requests, the home of its devices and the owner of some
// organizations. What two roles of the same gateway tell each other is a direct call.

import { setTimeout as sleep } from 'node:timers/promises'
import { realClock, type Clock } from '../bus/clock.ts'
import { repeat } from '../bus/repeat.ts'
import { Hub } from './home/hub.ts'
import { DEFAULT_LIMITS } from './scheduler/core/types.ts'
import { ChangeWatch } from './change-watch.ts'
import { describeStats } from './describe-stats.ts'
import type {
  DeviceConnection,
  DeviceIdentity,
  DeviceSocket,
  Fleet,
  FleetChange,
  FleetStats,
  FleetView,
  JobHandle,
  ModelAnswer,
  ModelAsk,
  ModelRelay,
  Reply,
  SerializedJob,
  Ticket,
  WaitingJob,
} from './fleet.ts'
import type { LocalFleetOptions } from './local-fleet.ts'
import type { Peers } from './peers/peers.ts'
import { takeView } from './take-view.ts'
import { Asks } from './asks.ts'
import { Front } from './front/front.ts'
import { Home } from './home/home.ts'
import { mergeView } from './merge-view.ts'
import type { Answer, Message, Question, ViewPart } from './peer-link/messages.ts'
import { Owner } from './scheduler/owner.ts'
import { RemoteChanges } from './remote-changes.ts'
import { ServedModels } from './served-models.ts'
import { Statements } from './statements.ts'
import { addStats } from './add-stats.ts'
import { deliverTo } from './deliver-to.ts'
import type { Wires } from './peer-link/wires.ts'

export interface SharedFleetOptions extends Omit<LocalFleetOptions, 'nextEpoch'> {
  peers: Peers
  wires: Wires<Message>
  /** Another gateway changed keys, models or devices. */
  onAccess: () => Promise<void>
  clock?: Clock
  /** Tests pass in broken ones. */
  parts?: FleetParts
}

export interface FleetParts {
  front?: typeof Front
  home?: typeof Home
  owner?: typeof Owner
}

const SWEEP_MS = 1_000
const DRAIN_POLL_MS = 50
/** A gateway that takes longer to read a change finds it by polling. */
const NEWS_MS = 1_000
/** How long the last messages may take to reach the other gateways. */
const FLUSH_MS = 1_000

export class SharedFleet implements Fleet {
  readonly #peers: Peers
  readonly #wires: Wires<Message>
  readonly #onAccess: () => Promise<void>
  readonly #hub: Hub
  readonly #front: Front
  readonly #home: Home
  readonly #owner: Owner
  readonly #asks: Asks
  readonly #changes: ChangeWatch
  readonly #remoteChanges: RemoteChanges
  readonly #served = new ServedModels()
  readonly #statements: Statements
  readonly #clock: Clock
  readonly #stopSweep: () => void
  readonly #stopFollowing: () => void
  readonly #take: (from: string, message: Message) => void

  constructor(options: SharedFleetOptions) {
    const { peers, wires, compareMs, parts = {}, clock = realClock } = options
    const limits = { ...DEFAULT_LIMITS, ...options.limits }
    const now = () => clock.now()
    const send = (to: string, message: Message) => this.#send(to, message)
    const isReachable = (replica: string) => replica === peers.self || wires.isUp(replica)
    const schedulerOf = (organization: string) => peers.schedulerOf(organization)
    const shared = { now, send, isReachable, schedulerOf }
    this.#clock = clock
    this.#peers = peers
    this.#onAccess = options.onAccess
    this.#wires = wires
    this.#hub = this.#openHub(options)
    this.#home = new (parts.home ?? Home)({ ...shared, hub: this.#hub })
    this.#front = new (parts.front ?? Front)({ ...shared, waitMs: limits.waitMs, onRecord: options.onRecord })
    const onServed = (organization: string, models: readonly string[]) => this.#tellServed(organization, models)
    this.#owner = new (parts.owner ?? Owner)({ ...shared, clock, peers, limits, onServed })
    this.#asks = new Asks({ ...shared, self: peers.self, answer: (question) => this.#answer(question) })
    this.#changes = new ChangeWatch(() => addStats(this.#owner.stats()), compareMs, clock)
    this.#remoteChanges = new RemoteChanges({
      send,
      changes: this.#changes,
      others: () => this.#others(),
      hasView: (organization) => this.#hasView(organization),
    })
    this.#statements = new Statements({ peers, send, front: this.#front, home: this.#home })
    this.#take = deliverTo({
      peers,
      hub: this.#hub,
      front: this.#front,
      home: this.#home,
      owner: this.#owner,
      asks: this.#asks,
      served: this.#served,
      remoteChanges: this.#remoteChanges,
    })
    wires.listen({
      up: (replica) => this.#replicaUp(replica),
      down: (replica) => this.#replicaLost(replica),
      message: (from, message) => this.#take(from, message),
      pressed: (replica, isPressed) => this.#home.pressed(replica, isPressed),
    })
    this.#stopFollowing = peers.onChange(() => this.#membersChanged())
    this.#membersChanged()
    this.#stopSweep = repeat(clock, SWEEP_MS, () => this.#lookAround())
  }

  submit(ticket: Ticket, job: SerializedJob, reply: Reply): JobHandle {
    return this.#front.submit(ticket, job, reply)
  }

  async waiting(key: string): Promise<readonly WaitingJob[]> {
    const answers = await this.#asks.ask(this.#everyone(), { kind: 'waiting', key })
    const jobs = answers.flatMap((answer) => answer.jobs).toSorted((a, b) => b.ageMs - a.ageMs)
    const forecasts = new Map(answers.flatMap((answer) => answer.forecasts.map((one) => [one.job, one])))
    return jobs.map(({ job, model, device, progress }) => {
      const { place, firstEventMs } = forecasts.get(job) ?? {}
      return { job, model, device, progress, place, firstEventMs }
    })
  }

  async view(organization: string): Promise<FleetView> {
    const answers = await this.#asks.ask(this.#everyone(), { kind: 'view', organization })
    return mergeView(answers.map(({ view }) => view))
  }

  onChange(organization: string, listener: (change: FleetChange) => void): () => void {
    return this.#remoteChanges.listen(organization, listener)
  }

  async askModel(organization: string, device: string, ask: ModelAsk): Promise<ModelAnswer> {
    const answers = await this.#asks.ask(this.#everyone(), { kind: 'ask-model', organization, device, ask })
    return answers.map(({ answer }) => answer).find(({ kind }) => kind !== 'gone') ?? { kind: 'gone' }
  }

  async accessChanged(): Promise<void> {
    const known = this.#asks.ask(this.#others(), { kind: 'access' })
    await Promise.race([known, sleep(NEWS_MS, undefined, { ref: false })])
  }

  get relay(): ModelRelay {
    return this.#hub.relay
  }

  stats(): FleetStats {
    const scheduled = describeStats(this.#hub, addStats(this.#owner.stats()))
    const between = { ...this.#wires.stats(), peers: this.#peers.status(), owned: this.#owner.owned() }
    return { ...scheduled, served: this.#served.list(), between }
  }

  keyRevoked(key: string): void {
    this.#front.keyRevoked(key)
  }

  /** The owner may know of it before it knows of a job that came in here just before. */
  modelClosed(organization: string, model: string): void {
    const owner = this.#peers.schedulerOf(organization)
    if (owner !== undefined) this.#send(owner, { type: 'model-closed', organization, model })
  }

  pauseChanged(device: string, isPaused: boolean): void {
    this.#home.pauseChanged(device, isPaused)
  }

  defaultsChanged(models: readonly { organization: string; name: string }[]): void {
    this.#hub.defaultsChanged(models)
  }

  disconnect(device: string): void {
    this.#hub.disconnect(device)
  }

  async accept(device: DeviceIdentity): Promise<(socket: DeviceSocket) => DeviceConnection> {
    const epoch = await this.#peers.nextEpoch()
    return (socket) => this.#hub.accept(device, epoch, socket)
  }

  async drain(limitMs: number): Promise<void> {
    if (this.#others().length > 0) this.#home.drain()
    await this.#until(() => this.#front.runCount === 0 && this.#home.jobCount === 0, limitMs)
    this.#hub.announceRestart()
    this.#front.shutdown()
    await this.#until(() => this.#others().every((replica) => this.#wires.backlog(replica) === 0), FLUSH_MS)
    await this.#peers.leave()
    this.#hub.close()
    this.#stopFollowing()
    this.#stopSweep()
    this.#changes.close()
    this.#owner.close()
    this.#wires.close()
  }

  #openHub({ clock, pingIntervals, defaults, onPresence, onConflict, onModels }: SharedFleetOptions): Hub {
    return new Hub({
      ...(clock && { clock }),
      intervals: pingIntervals,
      defaults,
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
  }

  #send(to: string, message: Message): void {
    if (to === this.#peers.self) this.#take(to, message)
    else this.#wires.send(to, message)
  }

  #everyone(): string[] {
    return [this.#peers.self, ...this.#others()]
  }

  #others(): string[] {
    return this.#peers.all.map(({ id }) => id).filter((id) => id !== this.#peers.self)
  }

  async #answer(question: Question): Promise<Answer> {
    switch (question.kind) {
      case 'view':
        return { kind: 'view', view: this.#viewPart(question.organization) }
      case 'waiting':
        return {
          kind: 'waiting',
          jobs: this.#front.waiting(question.key),
          forecasts: this.#owner.forecasts(question.key),
        }
      case 'ask-model':
        return {
          kind: 'ask-model',
          answer: await this.#hub.askModel(question.organization, question.device, question.ask),
        }
      case 'access':
        await this.#onAccess()
        return { kind: 'access' }
      default:
        return question satisfies never
    }
  }

  #viewPart(organization: string): ViewPart {
    const stats = addStats([this.#owner.statsOf(organization) ?? []].flat())
    const { devices, queued } = takeView(organization, this.#hub.linksOf(organization), stats)
    return {
      devices: devices.map((device) => ({ device, epoch: this.#hub.current(device.id)?.epoch ?? 0 })),
      queued: [...queued],
      running: stats.served.map(({ device, model, leases }) => ({ device, model, leases })),
    }
  }

  #hasView(organization: string): boolean {
    return this.#owner.statsOf(organization) !== undefined || this.#hub.linksOf(organization).length > 0
  }

  #tellServed(organization: string, models: readonly string[]): void {
    for (const replica of this.#everyone()) this.#send(replica, { type: 'served', organization, models })
  }

  #replicaUp(replica: string): void {
    this.#owner.wireUp(replica)
    // It says again what it schedules, and may have lost the rest in the meantime.
    this.#served.forget(replica)
    this.#statements.stateTo(replica)
    for (const [organization, models] of this.#owner.served())
      this.#send(replica, { type: 'served', organization, models })
    this.#remoteChanges.replicaUp(replica)
  }

  #replicaLost(replica: string): void {
    this.#front.homeLost(replica)
    this.#home.frontLost(replica)
    this.#asks.replicaLost(replica)
    this.#remoteChanges.replicaLost(replica)
    // One that did not know yet that it was removed may have stated jobs and devices since. Nobody will say that it is gone.
    if (!this.#others().includes(replica)) this.#owner.lost(replica)
    this.#owner.openReady()
  }

  // It stops what it no longer owns before it says anything to the new owners.
  #membersChanged(): void {
    const gone = this.#statements.goneMembers()
    this.#owner.membersChanged(gone)
    for (const replica of gone) {
      this.#served.forget(replica)
      // It may be alive and not know: unless it loses the same things, it counts on what is gone here.
      this.#wires.break(replica, 'it is no longer a member')
    }
    this.#statements.membersChanged()
  }

  #lookAround(): void {
    this.#front.sweep()
    this.#owner.openReady()
  }

  async #until(condition: () => boolean, limitMs: number): Promise<void> {
    const limit = this.#clock.now() + limitMs
    while (!condition() && this.#clock.now() < limit)
      await new Promise<void>((resolve) => this.#clock.after(DRAIN_POLL_MS, resolve))
  }
}
