// The devices, as the rest of the gateway sees them: the only way to jobs, slots and devices behind it. Several gateways that share their
// devices have a fleet each, and together they act as one. A lone gateway is a fleet of one, and everything here is a call.

import type { JobHandle, Reply, SerializedJob } from '@hearth/chat'
import { realClock, type Clock } from '../time/clock.ts'
import { repeat } from '../time/repeat.ts'
import { Asks } from './view/asks.ts'
import { deliverTo } from './post/deliver-to.ts'
import type { DeviceConnection } from './devices/device-link.ts'
import type { DeviceIdentity, DeviceSocket } from './devices/link.ts'
import type { FleetChange, FleetView } from './terms/fleet-view.ts'
import type { Relay } from './devices/relay/relay.ts'
import {
  readMessage,
  type Answer,
  type Message,
  type ModelAnswer,
  type ModelAsk,
  type Post,
  type Question,
  type ViewPart,
  type WaitingJob,
} from './terms/messages.ts'
import type { PeerLinks } from './peers/links/peer-links.ts'
import type { Peers } from './peers/peers.ts'
import { openRoles, type Roles, type RolesOptions } from './roles.ts'
import type { SealedReply } from './jobs/sealed-reply.ts'
import type { SealedTicket, Ticket } from './terms/job.ts'
import { ServedModels } from './view/served-models.ts'
import { Moves } from './moves.ts'
import { describePeers, describeStats, type FleetStats } from './stats.ts'
import { Changes } from './view/changes.ts'
import { askView, mergeView, takePage, takeView } from './view/view.ts'

export interface FleetOptions extends RolesOptions {
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
  readonly #post: Post
  readonly #roles: Roles
  readonly #clock: Clock
  readonly #asks: Asks
  readonly #changes: Changes
  readonly #served = new ServedModels()
  readonly #moves: Moves
  readonly #stops: (() => void)[]

  /** Without links, the gateway has no peers. */
  constructor(options: FleetOptions, peers: Peers, links?: PeerLinks<Message>, open = openRoles) {
    const { compareMs, clock = realClock } = options
    const { self } = peers
    const post: Post = {
      send: (to, message) => (to === self ? deliver(to, message) : links?.send(to, message)),
      isReachable: (gateway) => gateway === self || links?.isUp(gateway) === true,
      tellLessor: (message) => {
        const lessor = peers.view.schedulerOf(message.organization)
        if (lessor !== undefined) post.send(lessor, message)
      },
    }
    const roles = open(options, peers, post)
    const { hub, home, jobs, desks } = roles
    this.#peers = peers
    this.#links = links
    this.#post = post
    this.#roles = roles
    this.#clock = clock
    this.#asks = new Asks({ ...post, self, answer: (question) => this.#answer(question) })
    this.#changes = new Changes({
      ...post,
      compareMs,
      clock,
      statsOf: (organization) => desks.statsOf(organization),
      others: () => this.#others(),
      hasView: (organization) => desks.has(organization) || hub.links.of(organization).length > 0,
    })
    this.#moves = new Moves({ ...post, peers, jobs, home })
    hub.onView((organization, ...changes) => this.#changes.announce(organization, ...changes))
    const own = { asks: this.#asks, served: this.#served, changes: this.#changes }
    const deliver = deliverTo({ peers, ...roles, ...own })
    links?.listen({
      up: (peer) => this.#peerUp(peer),
      down: (peer) => this.#peerLost(peer),
      message: (from, message) => deliver(from, readMessage(message)),
      pressed: (peer, isPressed) => home.pressed(peer, isPressed),
    })
    this.#stops = [
      peers.onChange(() => this.#peersChanged()),
      repeat(clock, LOOK_MS, () => roles.desks.openReady()),
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
    const answers = await this.#asks.ask(this.#everyone(), { kind: 'waiting', key })
    const jobs = answers.flatMap((answer) => answer.jobs).toSorted((a, b) => b.ageMs - a.ageMs)
    const forecasts = new Map(answers.flatMap((answer) => answer.forecasts.map((one) => [one.job, one])))
    return jobs.map(({ ageMs: _age, ...job }) => {
      const { place, firstEventMs } = forecasts.get(job.job) ?? {}
      return { ...job, place, firstEventMs }
    })
  }

  /** An organization's connected devices, the jobs they run and the jobs that wait. */
  async view(organization: string): Promise<FleetView> {
    const others = this.#others().map((peer) => askView(this.#asks, peer, organization))
    const parts = await Promise.all(others)
    return mergeView([this.#viewHere(organization), ...parts.flat()])
  }

  /** Calls `listener` when the organization's view changes, until you call the returned function. */
  onChange(organization: string, listener: (change: FleetChange) => void): () => void {
    return this.#changes.listen(organization, listener)
  }

  /** Asks a connected device about the models on its disk, and waits for its answer. */
  async askModel(organization: string, device: string, ask: ModelAsk): Promise<ModelAnswer> {
    const answers = await this.#asks.ask(this.#everyone(), { kind: 'ask-model', organization, device, ask })
    return answers.map(({ answer }) => answer).find(({ kind }) => kind !== 'gone') ?? { kind: 'gone' }
  }

  /** Copies models between devices of this gateway. */
  get relay(): Pick<Relay, 'find' | 'piece' | 'take'> {
    return this.#roles.hub.relay
  }

  /** The models that jobs have waited for this long, and no device of their organization serves. */
  unserved(forMs: number): Set<string> {
    const waits = this.#roles.jobs.longWaits(forMs).filter((ticket) => !this.#served.has(ticket))
    return new Set(waits.map(({ model }) => model))
  }

  /** This gateway's numbers, for metrics and readiness. */
  stats(): FleetStats {
    const links = this.#links?.stats()
    const between = links && { ...links, peers: describePeers(this.#peers), scheduling: this.#roles.desks.leasing() }
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
    this.#roles.home.pauseChanged(device, isPaused)
  }

  /** Tells the devices that need to know of it. */
  defaultsChanged(models: readonly { organization: string }[]): void {
    this.#roles.hub.defaultsChanged(models)
  }

  /** Closes the link of a device that was removed. */
  disconnect(device: string): void {
    this.#roles.hub.disconnect(device)
  }

  /** Prepares a link for a device that is about to connect. Call the returned function once its socket is open. */
  async accept(device: DeviceIdentity): Promise<(socket: DeviceSocket) => DeviceConnection> {
    const epoch = await this.#peers.nextEpoch()
    return (socket) => this.#roles.hub.accept(device, epoch, socket)
  }

  /**
   * Waits until running jobs are done, at most `limitMs`. Then ends the rest and asks all devices to reconnect. Where they can go elsewhere,
   * each does so as soon as it is idle, but not before jobs that wait here have had their chance.
   */
  async drain(limitMs: number, hasSuccessor = false): Promise<void> {
    const { jobs, home, hub, desks } = this.#roles
    const links = this.#links
    const isAlone = this.#others().length === 0
    if (isAlone && hasSuccessor) await this.#until(() => this.stats().queued === 0, QUEUE_MS)
    if (!isAlone || hasSuccessor) home.drain()
    await this.#until(() => jobs.jobCount === 0 && home.jobCount === 0, limitMs)
    hub.announceRestart()
    jobs.shutdown()
    await this.#until(() => this.#others().every((peer) => links?.backlog(peer) === 0), FLUSH_MS)
    await this.#peers.leave()
    hub.close()
    for (const stop of this.#stops) stop()
    jobs.close()
    desks.close()
    links?.close()
  }

  #everyone(): string[] {
    return [this.#peers.self, ...this.#others()]
  }

  #others(): string[] {
    return this.#peers.view.ids.filter((id) => id !== this.#peers.self)
  }

  async #answer(question: Question): Promise<Answer> {
    const { jobs, hub, desks } = this.#roles
    switch (question.kind) {
      case 'view':
        return { kind: 'view', view: this.#viewHere(question.organization, question.after) }
      case 'waiting':
        return { kind: 'waiting', jobs: jobs.waiting(question.key), forecasts: desks.forecasts(question.key) }
      case 'ask-model': {
        const { organization, device, ask } = question
        return { kind: 'ask-model', answer: await hub.askModel(organization, device, ask) }
      }
      default:
        return question satisfies never
    }
  }

  /** Without `after`, all of it: nobody waits behind a call. */
  #viewHere(organization: string, after?: string): ViewPart {
    const { hub, desks } = this.#roles
    const [links, stats] = [hub.links.of(organization), desks.statsOf(organization)]
    return after === undefined ? takeView(links, stats) : takePage(links, stats, after)
  }

  #peerUp(peer: string): void {
    // The peer will say again what it serves; it may have lost the rest in the meantime.
    this.#served.forget(peer)
    this.#moves.stateTo(peer)
    for (const [organization, models] of this.#roles.desks.served())
      this.#post.send(peer, { type: 'served', organization, models })
    this.#changes.peerUp(peer)
  }

  #peerLost(peer: string): void {
    const { jobs, home, desks } = this.#roles
    desks.cutOff(peer)
    home.frontLost(peer)
    jobs.homeLost(peer)
    this.#asks.peerLost(peer)
    this.#changes.peerLost(peer)
    // One that did not know yet that it was removed may have stated jobs and devices since. Nobody will say that it is gone.
    if (!this.#others().includes(peer)) desks.lost(peer)
    desks.openReady()
  }

  // This gateway stops what it no longer leases before it says anything to the new lessors.
  #peersChanged(): void {
    this.#links?.expect(this.#peers.view.ids)
    const gone = this.#moves.gonePeers()
    this.#roles.desks.peersChanged(gone)
    for (const peer of gone) {
      this.#served.forget(peer)
      // The removed peer may be alive and not know: until its link breaks, it relies on things that are gone here.
      this.#links?.break(peer, 'it is no longer one of us')
    }
    this.#moves.peersChanged()
  }

  async #until(condition: () => boolean, limitMs: number): Promise<void> {
    const limit = this.#clock.now() + limitMs
    while (!condition() && this.#clock.now() < limit)
      await new Promise<void>((resolve) => this.#clock.after(DRAIN_POLL_MS, resolve))
  }
}

export type { DeviceConnection, DeviceIdentity, DeviceSocket, FleetChange, ModelAnswer, ModelAsk }
export type { FleetDevice, FleetView } from './terms/fleet-view.ts'
export type { BetweenGateways, FleetStats } from './stats.ts'
export type { DefaultsSource } from './devices/defaults-sender.ts'
export type { Start, WaitingJob } from './terms/messages.ts'
export type { Presence } from './devices/hub.ts'
export type { Conflict } from './terms/fleet-view.ts'
export type { Piece } from './devices/relay/relay.ts'
export type { SealedTicket, Ticket } from './terms/job.ts'
export type { SealedError, SealedEvent, SealedReply } from './jobs/sealed-reply.ts'
export type { JobWatch } from './jobs/jobs.ts'
export type { Offer as JobOffer, Running as JobRun } from './jobs/job.ts'
export { totalTokens, type JobRecord } from './jobs/job-record.ts'
