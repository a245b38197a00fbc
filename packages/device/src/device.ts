// The whole device: stays linked, announces its models, runs jobs and shuts down cleanly. It knows engines only through the Engine
// interface, and knows nothing about files or terminals.

import { randomUUID } from 'node:crypto'
import {
  MAX_BACKEND_PROBLEMS,
  MAX_MODELS_PER_DEVICE,
  MAX_NAME_LENGTH,
  MAX_REASON_LENGTH,
  PROTOCOL_VERSIONS,
  type DeviceBackend,
  type DeviceModel,
  type Download,
  type Feature,
  type Hello,
  type Machine,
  type ModelDefaults,
  type Library,
  type ModelReply,
  type ModelRequestFrame,
  type PieceWanted,
  type SharedModel,
  type Rest,
} from '@hearth/protocol'
import { systemClock, type Clock } from './clock.ts'
import type { ChangingEngine } from './engines/engine.ts'
import { HandingOver } from './jobs/handing-over.ts'
import { JobRunner } from './jobs/job-runner.ts'
import { STOP_MS } from './jobs/running-job.ts'
import { createDial } from './link/dial.ts'
import type { OpenLink, Welcome } from './link/hold-link.ts'
import { keepLinked } from './link/keep-linked.ts'
import type { Dial } from './link/socket.ts'
import type { DeviceNews, JobCounts, LinkState } from './news.ts'
import { APP_VERSION } from './version.ts'

export interface Identity {
  gateway: URL
  credential: string
  /** Jobs of any other organization are refused. */
  organization: string
}

export interface DeviceOptions {
  /** Called before every dial; throws DeviceError if this machine is not logged in. */
  identity: () => Identity
  engine: Pick<ChangingEngine, 'kind' | 'models' | 'run' | 'onChange'>
  /** Called for an engine that hangs; resolves when the engine and its jobs are gone. Never rejects. */
  restartEngine?: (model: string) => Promise<void>
  /** Answers a person in the console who asks about the models of this machine. Never rejects. */
  onModelRequest?: (request: ModelRequestFrame) => Promise<ModelReply>
  /** Another device of the organization wants a piece of a model that this one shares. */
  onPieceWanted?: (piece: PieceWanted) => void
  /** Features to hide from the gateway even though they work. */
  withoutFeatures?: readonly Feature[]
  /** What this machine tells the gateway about itself. */
  machine?: () => Machine
  onNews?: (news: DeviceNews) => void
  dial?: Dial
  clock?: Clock
  random?: () => number
}

export interface Device {
  /** Resolves after leave() or stop(). */
  readonly ended: Promise<void>
  /** False announces no models and refuses new jobs; running jobs continue. */
  allow(isAllowed: boolean): void
  /** Downloads in progress, for the gateway to show; an empty list once they are done. */
  tellDownloads(downloads: readonly Download[]): void
  /** Where models compute, for the gateway to show. */
  tellBackend(backend: DeviceBackend): void
  /** Why the device is not allowed to serve for now, for the gateway to show; undefined once it is. */
  tellRest(rest: Rest | undefined): void
  /** The models on the disk, for the gateway to show. Before this is called, the gateway sends no requests about models. */
  tellLibrary(library: Library): void
  /** The models that other devices of the organization may copy. */
  tellShared(models: readonly SharedModel[]): void
  /** Returns running jobs to the gateway. */
  stopJobs(): void
  /**
   * Has other devices continue the running jobs. Those that none can take have `waitMs` to finish, and are then returned. Resolves when
   * no job is left, or when serving is allowed again.
   */
  handOver(waitMs: number): Promise<void>
  /** Resolves when no job runs. */
  idle(): Promise<void>
  /** Switches to a new login as soon as no job is running. */
  redial(): void
  /** Accepts no more jobs, hands running ones over or finishes them, then closes the link. */
  leave(waitMs: number): Promise<void>
  /** Closes the link immediately. */
  stop(): void
  readonly link: LinkState
  readonly jobs: JobCounts
  runningOn(model: string): number
  /** What the organization wants for the model where a request says nothing; undefined if the gateway sent nothing. */
  defaultsOf(model: string): ModelDefaults | undefined
  /** The models announced right now. */
  models(): DeviceModel[]
}

export function createDevice(options: DeviceOptions): Device {
  return new LinkedDevice(options)
}

class LinkedDevice implements Device {
  readonly ended: Promise<void>
  readonly #options: DeviceOptions
  readonly #clock: Clock
  readonly #runner: JobRunner
  readonly #handingOver: HandingOver
  readonly #end = new AbortController()
  readonly #boot = randomUUID()
  readonly #counts = { answered: 0, failed: 0, stopped: 0, handedOver: 0 }
  #linkState: LinkState = { name: 'connecting' }
  #openLink: OpenLink | undefined
  #announced = ''
  #downloads: readonly Download[] = []
  #backend: DeviceBackend | undefined
  #rest: Rest | undefined
  /** From the current gateway, or from the last one until a link is open again. */
  readonly #defaults = new Map<string, ModelDefaults>()
  #library: Library | undefined
  #shared: readonly SharedModel[] = []
  #serves: 'yes' | 'paused' | 'leaving' = 'yes'
  #hurry = new AbortController()
  /** The login used for the current link. */
  #dialed: Identity | undefined

  constructor(options: DeviceOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#runner = this.#createRunner()
    this.#handingOver = new HandingOver({
      runner: this.#runner,
      clock: this.#clock,
      handedOver: () => this.#counts.handedOver,
      onNews: (news) => this.#tell(news),
    })
    const stopListening = options.engine.onChange(() => this.#announce())
    this.ended = this.#keepLinked().finally(stopListening)
  }

  get link(): LinkState {
    return this.#linkState
  }

  get jobs(): JobCounts {
    return { running: this.#runner.running, ...this.#counts }
  }

  runningOn(model: string): number {
    return this.#runner.runningOn(model)
  }

  defaultsOf(model: string): ModelDefaults | undefined {
    return this.#defaults.get(model)
  }

  models(): DeviceModel[] {
    if (this.#serves !== 'yes') return []
    const off = this.#options.withoutFeatures ?? []
    return this.#options.engine
      .models()
      .slice(0, MAX_MODELS_PER_DEVICE)
      .map((model) => ({ ...model, features: model.features.filter((feature) => !off.includes(feature)) }))
  }

  allow(isAllowed: boolean): void {
    if (this.#serves === 'leaving') return
    this.#serves = isAllowed ? 'yes' : 'paused'
    if (isAllowed) this.#handingOver.cancel()
    this.#announce()
  }

  tellDownloads(downloads: readonly Download[]): void {
    this.#downloads = downloads
    this.#openLink?.send({ type: 'downloads', downloads: [...downloads] })
  }

  tellBackend(backend: DeviceBackend): void {
    this.#backend = withinLimits(backend)
    this.#openLink?.send({ type: 'backend', backend: this.#backend })
  }

  tellRest(rest: Rest | undefined): void {
    if (JSON.stringify(rest) === JSON.stringify(this.#rest)) return
    this.#rest = rest
    this.#openLink?.send({ type: 'rest', ...(rest && { rest }) })
  }

  tellLibrary(library: Library): void {
    if (JSON.stringify(library) === JSON.stringify(this.#library)) return
    this.#library = library
    this.#openLink?.send({ type: 'library', library })
  }

  tellShared(models: readonly SharedModel[]): void {
    if (JSON.stringify(models) === JSON.stringify(this.#shared)) return
    this.#shared = models
    this.#openLink?.send({ type: 'shared', models: [...models] })
  }

  stopJobs(): void {
    this.#runner.stopAll('leaving')
  }

  handOver(waitMs: number): Promise<void> {
    return this.#handingOver.begin(waitMs)
  }

  idle(): Promise<void> {
    return this.#runner.idle()
  }

  redial(): void {
    this.#hurry.abort()
    this.#hurry = new AbortController()
    void this.#relink(this.#openLink)
  }

  /** A link with the old login stays open until its jobs are done. */
  async #relink(link: OpenLink | undefined): Promise<void> {
    if (link === undefined || !this.#hasNewLogin()) return
    await this.#runner.idle()
    link.close()
  }

  #hasNewLogin(): boolean {
    try {
      return this.#options.identity().credential !== this.#dialed?.credential
    } catch {
      // If the login was deleted, keep the current link; the next dial will fail and say so.
      return false
    }
  }

  async leave(waitMs: number): Promise<void> {
    this.#serves = 'leaving'
    this.#openLink?.send({ type: 'drain' })
    void this.#handingOver.begin(waitMs)
    await this.#idleWithin(waitMs)
    this.#runner.stopAll('leaving')
    await this.#idleWithin(STOP_MS)
    this.stop()
    await this.ended
  }

  stop(): void {
    this.#serves = 'leaving'
    this.#handingOver.cancel()
    this.#end.abort()
  }

  async #idleWithin(ms: number): Promise<void> {
    const enough = new AbortController()
    const deadline = this.#clock.wait(ms, AbortSignal.any([enough.signal, this.#end.signal])).catch(() => {})
    await Promise.race([this.#runner.idle(), deadline])
    enough.abort()
  }

  #createRunner(): JobRunner {
    const { engine, restartEngine = () => Promise.resolve() } = this.#options
    return new JobRunner({
      engine,
      models: () => this.models(),
      organization: () => this.#dialed?.organization ?? '',
      defaultsOf: (model) => this.#defaults.get(model),
      takesJobs: () => this.#serves === 'yes',
      restartEngine,
      clock: this.#clock,
      onChange: ({ outcome }) => {
        if (outcome !== undefined) this.#counts[outcome] += 1
        this.#tell({ type: 'jobs', jobs: this.jobs })
      },
      onStuck: (model) => this.#tell({ type: 'engine-stuck', model }),
    })
  }

  #keepLinked(): Promise<void> {
    const { dial = createDial(process.env), random = Math.random } = this.#options
    return keepLinked(
      {
        dial,
        random,
        clock: this.#clock,
        identity: () => {
          this.#dialed = this.#options.identity()
          return this.#dialed
        },
        onNews: (state) => this.#enter(state),
        hurry: () => this.#hurry.signal,
        user: {
          hello: () => this.#hello(),
          onOpen: (link, welcome) => this.#opened(link, welcome),
          onFrame: (frame) => this.#openLink !== undefined && this.#runner.receive(frame, this.#openLink),
          onModelRequest: (request) => void this.#answer(request),
          onPieceWanted: (piece) => this.#options.onPieceWanted?.(piece),
          onNotice: (text) => this.#note(text),
          onDefaults: ({ model, defaults }) => void this.#defaults.set(model, defaults),
          onGone: () => this.#gone(),
          isBusy: () => this.#runner.running > 0,
        },
      },
      this.#end.signal,
    )
  }

  #hello(): Hello {
    const models = this.models()
    this.#announced = JSON.stringify(models)
    return {
      type: 'hello',
      protocols: [...PROTOCOL_VERSIONS],
      app: APP_VERSION,
      boot: this.#boot,
      engine: this.#options.engine.kind,
      models,
      ...(this.#options.machine !== undefined && { machine: this.#options.machine() }),
    }
  }

  #opened(link: OpenLink, { device, organization }: Welcome): void {
    this.#openLink = link
    this.#defaults.clear()
    const gateway = this.#dialed?.gateway.href ?? ''
    this.#enter({ name: 'linked', gateway, device, organization })
    // Models may have changed between hello and welcome.
    this.#announce()
    if (this.#downloads.length > 0) this.tellDownloads(this.#downloads)
    if (this.#backend !== undefined) this.tellBackend(this.#backend)
    if (this.#rest !== undefined) link.send({ type: 'rest', rest: this.#rest })
    if (this.#library !== undefined) link.send({ type: 'library', library: this.#library })
    if (this.#shared.length > 0) link.send({ type: 'shared', models: [...this.#shared] })
    if (this.#serves === 'leaving') link.send({ type: 'drain' })
  }

  /** The link may be another one by then; the gateway drops a reply that nobody waits for. */
  async #answer(request: ModelRequestFrame): Promise<void> {
    const reply = await this.#options.onModelRequest?.(request)
    if (reply !== undefined) this.#openLink?.send(reply)
  }

  #note(text: string): void {
    if (this.#linkState.name === 'linked') this.#linkState = { ...this.#linkState, notice: text }
    this.#tell({ type: 'notice', text })
  }

  #gone(): void {
    this.#openLink = undefined
    this.#runner.linkGone()
  }

  #announce(): void {
    const models = this.models()
    const serialized = JSON.stringify(models)
    if (this.#openLink === undefined || serialized === this.#announced || this.#serves === 'leaving') return
    this.#announced = serialized
    this.#openLink.send({ type: 'models', models })
  }

  #enter(state: LinkState): void {
    this.#linkState = state
    this.#tell({ type: 'link', state })
  }

  #tell(news: DeviceNews): void {
    this.#options.onNews?.(news)
  }
}

/** A longer text would close the link. */
function withinLimits({ name, card, driver, problems }: DeviceBackend): DeviceBackend {
  return {
    name,
    ...(card !== undefined && { card: card.slice(0, MAX_NAME_LENGTH) }),
    ...(driver !== undefined && { driver: driver.slice(0, MAX_NAME_LENGTH) }),
    problems: problems.slice(0, MAX_BACKEND_PROBLEMS).map((problem) => ({
      name: problem.name,
      why: problem.why.slice(0, MAX_REASON_LENGTH),
      remedy: problem.remedy.slice(0, MAX_REASON_LENGTH),
    })),
  }
}
