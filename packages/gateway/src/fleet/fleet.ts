// The devices, as the rest of the gateway sees them: the only way to jobs, schedulers and devices behind it. Several gateways
// that share their devices have a fleet each, and together they act as one. `ports/` says what its parts want of each other.

import type { JobHandle, Reply, SerializedJob } from '@hearth/chat'
import { realClock, type Clock } from '../time/clock.ts'
import { repeat } from '../time/repeat.ts'
import { PeerQuestions } from './view/peer-questions.ts'
import type { DeviceConnection } from './devices/device-link.ts'
import type { DeviceIdentity, DeviceSocket } from './devices/link.ts'
import type { FleetChange, FleetView } from './terms/fleet-view.ts'
import type { Relay } from './devices/relay/relay.ts'
import {
  readPeerMessage,
  type Answer,
  type Message,
  type ModelAnswer,
  type ModelRequest,
  type Question,
  type ViewPart,
  type WaitingJob,
} from './terms/messages.ts'
import type { PeerLinks } from './peers/links/peer-links.ts'
import type { ConsolePort } from './ports/console-port.ts'
import { ConnectedGateways } from './ports/gateways.ts'
import { receive } from './ports/receive.ts'
import type { Peers } from './peers/peers.ts'
import { openRoles, type Roles, type RolesOptions } from './roles.ts'
import type { SealedReply } from './jobs/sealed-reply.ts'
import type { SealedTicket, Ticket } from './terms/job.ts'
import { ServedModels } from './view/served-models.ts'
import { Rebalance } from './rebalance.ts'
import { describePeers, describeStats, type FleetStats } from './stats.ts'
import { Changes } from './view/changes.ts'
import { askView, mergeView, takePage, takeView } from './view/view.ts'

export interface FleetOptions extends Omit<RolesOptions, 'onServed'> {
  /** How often load is compared to find out whether a view has changed. */
  compareMs: number
}

const LOOK_MS = 1_000
const DRAIN_POLL_MS = 50
/** How long the last messages may take to reach the other gateways. */
const FLUSH_MS = 1_000
/** How long devices stay for jobs that wait. Those for a model that no device serves must not keep them from the successor. */
const QUEUE_MS = 30_000

export class Fleet {
  readonly #peers: Peers
  readonly #links: PeerLinks<Message> | undefined
  readonly #roles: Roles
  readonly #clock: Clock
  readonly #questions: PeerQuestions
  readonly #changes: Changes
  readonly #served = new ServedModels()
  readonly #rebalance: Rebalance
  readonly #stops: (() => void)[]

  /** Without links, the gateway has no peers. */
  constructor(options: FleetOptions, peers: Peers, links?: PeerLinks<Message>, open = openRoles) {
    const { compareMs, clock = realClock } = options
    const gateways = new ConnectedGateways(peers, links)
    const onServed = (organization: string, models: readonly string[]) => this.#tellServed(organization, models)
    const roles = open({ ...options, onServed }, peers, gateways)
    gateways.open(roles)
    const { hub, jobs, schedulers } = roles
    this.#peers = peers
    this.#links = links
    this.#roles = roles
    this.#clock = clock
    this.#questions = new PeerQuestions({ gateways, send: this.#send, answer: (question) => this.#answer(question) })
    this.#changes = new Changes({
      send: this.#send,
      compareMs,
      clock,
      statsOf: (organization) => schedulers.statsOf(organization),
      others: () => this.#others(),
      hasView: (organization) => schedulers.has(organization) || hub.links.of(organization).length > 0,
    })
    this.#rebalance = new Rebalance({ gateways, peers, jobs, hub })
    hub.registry.onView((organization, ...changes) => this.#changes.announce(organization, ...changes))
    const receivers = { ...roles, console: this.#console() }
    links?.listen({
      up: (peer) => this.#peerUp(peer),
      down: (peer) => this.#peerLost(peer),
      message: (from, message) => receive(receivers, readPeerMessage(message), from),
      pressed: (peer, isPressed) => hub.pressed(peer, isPressed),
    })
    this.#stops = [
      peers.onChange(() => this.#peersChanged()),
      repeat(clock, LOOK_MS, () => roles.schedulers.openReady()),
      () => this.#changes.close(),
    ]
    this.#peersChanged()
  }

  /** Runs a job on a device. `reply` gets its events, the first ones perhaps before this returns. */
  submit(ticket: Ticket, job: SerializedJob, reply: Reply): JobHandle {
    return this.#roles.jobs.submit(ticket, job, { kind: 'plain', reply })
  }

  submitSealed(ticket: SealedTicket, job: SerializedJob, reply: SealedReply): JobHandle {
    return this.#roles.jobs.submit(ticket, job, { kind: 'sealed', reply })
  }

  /** The jobs of a key that have produced nothing yet, oldest first. */
  async waiting(key: string): Promise<readonly WaitingJob[]> {
    const answers = await this.#questions.ask(this.#everyone(), { kind: 'waiting', key })
    const jobs = answers.flatMap((answer) => answer.jobs).toSorted((a, b) => b.ageMs - a.ageMs)
    const forecasts = new Map(answers.flatMap((answer) => answer.forecasts.map((one) => [one.job, one])))
    return jobs.map(({ ageMs: _age, ...job }) => {
      const { place, firstEventMs } = forecasts.get(job.job) ?? {}
      return { ...job, place, firstEventMs }
    })
  }

  /** An organization's connected devices, the jobs they run and the jobs that wait. */
  async view(organization: string): Promise<FleetView> {
    const others = this.#others().map((peer) => askView(this.#questions, peer, organization))
    const parts = await Promise.all(others)
    return mergeView([this.#viewHere(organization), ...parts.flat()])
  }

  /** Calls `listener` when the organization's view changes, until you call the returned function. */
  onChange(organization: string, listener: (change: FleetChange) => void): () => void {
    return this.#changes.listen(organization, listener)
  }

  /** Asks a connected device about the models on its disk, and waits for its answer. */
  async sendModelRequest(organization: string, device: string, request: ModelRequest): Promise<ModelAnswer> {
    const answers = await this.#questions.ask(this.#everyone(), {
      kind: 'model-request',
      organization,
      device,
      request,
    })
    return answers.map(({ answer }) => answer).find(({ kind }) => kind !== 'gone') ?? { kind: 'gone' }
  }

  /** Copies models between devices of this gateway. */
  get relay(): Pick<Relay, 'find' | 'piece' | 'take'> {
    return this.#roles.hub.registry.relay
  }

  /** The models that jobs have waited for this long, and no device of their organization serves. */
  unserved(forMs: number): Set<string> {
    const waits = this.#roles.jobs.longWaits(forMs).filter((ticket) => !this.#served.has(ticket))
    return new Set(waits.map(({ model }) => model))
  }

  /** This gateway's numbers, for metrics and readiness. */
  stats(): FleetStats {
    const links = this.#links?.stats()
    const between = links && {
      ...links,
      peers: describePeers(this.#peers),
      scheduling: this.#roles.schedulers.leasing(),
    }
    return { ...describeStats(this.#roles), served: this.#served.list(), ...(between && { between }) }
  }

  /** Ends all jobs of the key. */
  keyRevoked(key: string): void {
    this.#roles.jobs.keyRevoked(key)
  }

  /** Ends the jobs that wait for the model. Those that run may finish. */
  modelClosed(organization: string, model: string): void {
    this.#roles.jobs.modelClosed(organization, model)
  }

  /** A paused device stays connected, finishes its jobs and gets no new ones. */
  pauseChanged(device: string, isPaused: boolean): void {
    this.#roles.hub.pauseChanged(device, isPaused)
  }

  /** Tells the devices that need to know of it. */
  defaultsChanged(models: readonly { organization: string }[]): void {
    this.#roles.hub.registry.defaultsChanged(models)
  }

  /** Closes the link of a device that was removed. */
  disconnect(device: string): void {
    this.#roles.hub.registry.disconnect(device)
  }

  /** Prepares a link for a device that is about to connect. Call the returned function once its socket is open. */
  async accept(device: DeviceIdentity): Promise<(socket: DeviceSocket) => DeviceConnection> {
    const epoch = await this.#peers.nextEpoch()
    return (socket) => this.#roles.hub.registry.accept(device, epoch, socket)
  }

  /**
   * Waits until running jobs are done, at most `limitMs`. Then ends the rest and asks all devices to reconnect. Where they can go elsewhere,
   * each does so as soon as it is idle, but not before jobs that wait here have had their chance.
   */
  async drain(limitMs: number, hasSuccessor = false): Promise<void> {
    const { jobs, hub, schedulers } = this.#roles
    const links = this.#links
    const isAlone = this.#others().length === 0
    if (isAlone && hasSuccessor) await this.#until(() => this.stats().queued === 0, QUEUE_MS)
    if (!isAlone || hasSuccessor) hub.drain()
    await this.#until(() => jobs.jobCount === 0 && hub.jobCount === 0, limitMs)
    hub.registry.announceRestart()
    jobs.shutdown()
    await this.#until(() => this.#others().every((peer) => links?.backlog(peer) === 0), FLUSH_MS)
    await this.#peers.leave()
    hub.registry.close()
    for (const stop of this.#stops) stop()
    jobs.close()
    schedulers.close()
    links?.close()
  }

  #everyone(): string[] {
    return [this.#peers.self, ...this.#others()]
  }

  #others(): string[] {
    return this.#peers.view.ids.filter((id) => id !== this.#peers.self)
  }

  /** To another gateway. */
  readonly #send = (to: string, message: Message): void => this.#links?.send(to, message)

  #tellServed(organization: string, models: readonly string[]): void {
    this.#served.note(this.#peers.self, organization, models)
    for (const peer of this.#others()) this.#send(peer, { type: 'served', organization, models })
  }

  /** What other gateways tell this one for its console. */
  #console(): ConsolePort {
    return {
      served: (organization, models, from) => this.#served.note(from, organization, models),
      asked: (id, question, from) => void this.#questions.asked(from, id, question),
      answered: (id, answer, from) => this.#questions.answered(from, id, answer),
      watched: (organization, from) => this.#changes.watched(from, organization),
      unwatched: (organization, from) => this.#changes.unwatched(from, organization),
      changed: (organization, change) => this.#changes.changed(organization, change),
    }
  }

  async #answer(question: Question): Promise<Answer> {
    const { jobs, hub, schedulers } = this.#roles
    switch (question.kind) {
      case 'view':
        return { kind: 'view', view: this.#viewHere(question.organization, question.after) }
      case 'waiting':
        return { kind: 'waiting', jobs: jobs.waiting(question.key), forecasts: schedulers.forecasts(question.key) }
      case 'model-request': {
        const { organization, device, request } = question
        return { kind: 'model-request', answer: await hub.registry.sendModelRequest(organization, device, request) }
      }
      default:
        return question satisfies never
    }
  }

  /** Without `after`, all of it: nobody waits behind a call. */
  #viewHere(organization: string, after?: string): ViewPart {
    const { hub, schedulers } = this.#roles
    const [links, stats] = [hub.links.of(organization), schedulers.statsOf(organization)]
    return after === undefined ? takeView(links, stats) : takePage(links, stats, after)
  }

  #peerUp(peer: string): void {
    // The peer will say again what it serves; it may have lost the rest in the meantime.
    this.#served.forget(peer)
    this.#rebalance.syncWith(peer)
    for (const [organization, models] of this.#roles.schedulers.served())
      this.#send(peer, { type: 'served', organization, models })
    this.#changes.peerUp(peer)
  }

  #peerLost(peer: string): void {
    const { jobs, hub, schedulers } = this.#roles
    schedulers.cutOff(peer)
    hub.frontLost(peer)
    jobs.hubLost(peer)
    this.#questions.peerLost(peer)
    this.#changes.peerLost(peer)
    // One that did not know yet that it was removed may have reported jobs and devices since. Nobody will say that it is gone.
    if (!this.#others().includes(peer)) schedulers.lost(peer)
    schedulers.openReady()
  }

  // This gateway stops what it no longer leases before it says anything to the new schedulers.
  #peersChanged(): void {
    this.#links?.expect(this.#peers.view.ids)
    const gone = this.#rebalance.gonePeers()
    this.#roles.schedulers.peersChanged(gone)
    for (const peer of gone) {
      this.#served.forget(peer)
      // The removed peer may be alive and not know: until its link breaks, it relies on things that are gone here.
      this.#links?.break(peer, 'it is no longer one of us')
    }
    this.#rebalance.peersChanged()
  }

  async #until(condition: () => boolean, limitMs: number): Promise<void> {
    const limit = this.#clock.now() + limitMs
    while (!condition() && this.#clock.now() < limit)
      await new Promise<void>((resolve) => this.#clock.after(DRAIN_POLL_MS, resolve))
  }
}

export type { DeviceConnection, DeviceIdentity, DeviceSocket, FleetChange, ModelAnswer, ModelRequest }
export type { FleetDevice, FleetView } from './terms/fleet-view.ts'
export type { BetweenGateways, FleetStats } from './stats.ts'
export type { DefaultsSource } from './devices/defaults-sender.ts'
export type { Start, WaitingJob } from './terms/messages.ts'
export type { Presence } from './devices/link-registry.ts'
export type { Conflict } from './terms/fleet-view.ts'
export type { Piece } from './devices/relay/relay.ts'
export type { SealedTicket, Ticket } from './terms/job.ts'
export type { SealedError, SealedEvent, SealedReply } from './jobs/sealed-reply.ts'
export type { JobWatch } from './jobs/jobs.ts'
export type { Offer as JobOffer, Running as JobRun } from './jobs/job.ts'
export { totalTokens, type JobRecord } from './jobs/job-record.ts'
