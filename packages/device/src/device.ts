// The whole device: stays linked, announces its models, runs jobs and shuts down cleanly. It knows engines only through the Engine
// interface, and knows nothing about files or terminals.

import { present } from '@hearth/command-line/present'
import { randomUUID } from 'node:crypto'
import {
  type DeviceModel,
  type Feature,
  type Hello,
  type Machine,
  type ModelDefaults,
  type ModelReply,
  type ModelRequestFrame,
  type PieceWanted,
  MAX_MODELS_PER_DEVICE,
  PROTOCOL_VERSIONS,
  splitSlots,
} from '@hearth/protocol'
import type { AgreementKey } from '@hearth/sealing'
import { systemClock, waitOrAbort, type Clock } from './clock.ts'
import type { ChangingEngine } from './engines/engine.ts'
import { HandingOver } from './jobs/handing-over.ts'
import { allowedDefaults } from './jobs/with-defaults.ts'
import { JobRunner } from './jobs/job-runner.ts'
import { STOP_MS } from './jobs/running-job.ts'
import { SealedJobs } from './jobs/sealed/sealed-jobs.ts'
import { createDial } from './link/dial.ts'
import type { LinkUser, OpenLink, Welcome } from './link/run-link.ts'
import { keepLinked } from './link/keep-linked.ts'
import { LastFrames, type StandingFrame } from './link/last-frames.ts'
import { Login, type Identity } from './link/login.ts'
import type { Dial } from './link/socket.ts'
import type { DeviceNews, JobCounts, LinkState } from './news.ts'
import { APP_VERSION } from './version.ts'

export interface DeviceOptions {
  /** Called before every dial; throws CommandError if this machine is not logged in. */
  identity: () => Identity
  engine: Pick<ChangingEngine, 'kind' | 'run'>
  /** The models to announce, as long as the device may serve. */
  offer: Pick<ChangingEngine, 'models' | 'onChange'>
  /** Called for an engine that hangs; resolves when the engine and its jobs are gone. Never rejects. */
  restartEngine?: (model: string) => Promise<void>
  /** A model gets a job. */
  onJob?: (model: string) => void
  /** Answers a person in the console who asks about the models of this machine. Never rejects. */
  onModelRequest?: (request: ModelRequestFrame) => Promise<ModelReply>
  /** Another device of the organization wants a piece of a model that this one shares. */
  onPieceWanted?: (piece: PieceWanted) => void
  /** Whether the owner lets administrators set the chat templates of models. If not, models keep their own. */
  takesTemplates?: () => boolean
  /** Features to hide from the gateway even though they work. */
  withoutFeatures?: readonly Feature[]
  /** Opens sealed requests. Without it, the device takes none. */
  sealKey?: AgreementKey | undefined
  /** This machine's description of itself for the gateway. */
  machine?: () => Machine
  onNews?: (news: DeviceNews) => void
  dial?: Dial
  clock?: Clock
  random?: () => number
}

export class Device {
  /** Resolves after leave() or stop(). */
  readonly ended: Promise<void>
  readonly #options: DeviceOptions
  readonly #clock: Clock
  readonly #login: Login
  readonly #runner: JobRunner
  readonly #handingOver: HandingOver
  readonly #told = new LastFrames()
  /** From the current gateway, or from the last one until a link is open again. */
  readonly #defaults = new Map<string, ModelDefaults>()
  readonly #end = new AbortController()
  readonly #boot = randomUUID()
  #linkState: LinkState = { name: 'connecting' }
  #openLink: OpenLink | undefined
  #serves: 'yes' | 'paused' | 'leaving' = 'yes'

  constructor(options: DeviceOptions) {
    this.#options = options
    this.#clock = options.clock ?? systemClock
    this.#login = new Login(options.identity)
    this.#runner = this.#createRunner()
    this.#handingOver = new HandingOver({
      runner: this.#runner,
      clock: this.#clock,
      onNews: (news) => this.#report(news),
    })
    const stopListening = options.offer.onChange(() => this.#announce())
    this.ended = this.#keepLinked().finally(stopListening)
  }

  get link(): LinkState {
    return this.#linkState
  }

  get jobs(): JobCounts {
    return this.#runner.counts
  }

  runningOn(model: string): number {
    return this.#runner.runningOn(model)
  }

  /** The organization's values for fields that a request leaves out; undefined if the gateway sent none. */
  defaultsOf(model: string): ModelDefaults | undefined {
    return this.#defaults.get(model)
  }

  /** The models announced right now. */
  models(): DeviceModel[] {
    if (this.#serves !== 'yes') return []
    const { offer, withoutFeatures: hidden = [], sealKey } = this.#options
    return announcedModels(offer.models(), { added: sealKey === undefined ? [] : ['sealed'], hidden })
  }

  /** False announces no models and refuses new jobs; running jobs continue. */
  allow(isAllowed: boolean): void {
    if (this.#serves === 'leaving') return
    this.#serves = isAllowed ? 'yes' : 'paused'
    if (isAllowed) this.#handingOver.cancel()
    this.#announce()
  }

  /** Tells the gateway what has changed, now or when a link is open. Before it knows the library, it sends no requests about models. */
  tell(frame: StandingFrame): void {
    this.#told.tell(frame)
  }

  /** Returns running jobs to the gateway. */
  stopJobs(): void {
    this.#runner.stopAll('leaving')
  }

  /**
   * Has other devices continue the running jobs. Those that none can take have `waitMs` to finish, and are then returned. Resolves when
   * no job is left, or when serving is allowed again.
   */
  handOver(waitMs: number): Promise<void> {
    return this.#handingOver.begin(waitMs)
  }

  /** Resolves when no job runs. */
  idle(): Promise<void> {
    return this.#runner.idle()
  }

  /** Switches to a new login as soon as no job is running. */
  redial(): void {
    const link = this.#openLink
    // A link with the old login stays open until its jobs are done.
    if (this.#login.renew()) void this.#runner.idle().then(() => link?.close())
  }

  /** Accepts no more jobs, hands running ones over or finishes them, then closes the link. */
  async leave(waitMs: number): Promise<void> {
    this.#serves = 'leaving'
    this.#told.tell({ type: 'drain' })
    void this.#handingOver.begin(waitMs)
    await this.#idleWithin(waitMs)
    this.#runner.stopAll('leaving')
    await this.#idleWithin(STOP_MS)
    this.stop()
    await this.ended
  }

  /** Closes the link immediately. */
  stop(): void {
    this.#serves = 'leaving'
    this.#handingOver.cancel()
    this.#end.abort()
  }

  async #idleWithin(ms: number): Promise<void> {
    const enough = new AbortController()
    const deadline = waitOrAbort(this.#clock, ms, AbortSignal.any([enough.signal, this.#end.signal]))
    await Promise.race([this.#runner.idle(), deadline])
    enough.abort()
  }

  #createRunner(): JobRunner {
    const { engine, onJob, sealKey, restartEngine = () => Promise.resolve() } = this.#options
    const organization = (): string => this.#login.organization
    const device = (): string => (this.#linkState.name === 'linked' ? this.#linkState.device : '')
    return new JobRunner({
      engine,
      models: () => this.models(),
      organization,
      sealed: sealKey && new SealedJobs({ key: sealKey, device, organization, clock: this.#clock }),
      defaultsOf: (model) => this.#defaults.get(model),
      takesJobs: () => this.#serves === 'yes',
      restartEngine,
      clock: this.#clock,
      onChange: ({ model, ended }) => {
        if (ended === undefined) onJob?.(model)
        else this.#report({ type: 'job-ended', job: ended })
        this.#report({ type: 'jobs', jobs: this.jobs })
      },
      onStuck: (model) => this.#report({ type: 'engine-stuck', model }),
    })
  }

  #keepLinked(): Promise<void> {
    const { dial = createDial(process.env), random = Math.random } = this.#options
    return keepLinked(
      {
        dial,
        random,
        clock: this.#clock,
        identity: () => this.#login.use(),
        onNews: (state) => this.#enter(state),
        hurry: () => this.#login.hurry,
        user: this.#linkUser(),
      },
      this.#end.signal,
    )
  }

  #linkUser(): LinkUser {
    return {
      hello: () => this.#hello(),
      onOpen: (link, welcome) => this.#opened(link, welcome),
      onFrame: (frame) => this.#openLink !== undefined && this.#runner.receive(frame, this.#openLink),
      onModelRequest: (request) => void this.#answer(request),
      onPieceWanted: (piece) => this.#options.onPieceWanted?.(piece),
      onNotice: (text) => this.#note(text),
      onDefaults: ({ model, defaults }) => void this.#defaults.set(model, allowedDefaults(defaults, this.#options)),
      onGone: () => this.#gone(),
      isBusy: () => this.#runner.running > 0,
    }
  }

  #hello(): Hello {
    const models = this.models().map(splitSlots)
    this.#told.greet(models)
    const { engine, machine, sealKey } = this.#options
    return present({
      type: 'hello' as const,
      protocols: [...PROTOCOL_VERSIONS],
      app: APP_VERSION,
      boot: this.#boot,
      engine: engine.kind,
      models,
      machine: machine?.(),
      sealKey: sealKey?.publicKey,
    })
  }

  #opened(link: OpenLink, { device, organization }: Welcome): void {
    this.#openLink = link
    this.#defaults.clear()
    this.#enter({ name: 'linked', gateway: this.#login.gateway, device, organization })
    this.#told.opened(link)
  }

  /** The link may be another one by then; the gateway drops a reply that nobody waits for. */
  async #answer(request: ModelRequestFrame): Promise<void> {
    const reply = await this.#options.onModelRequest?.(request)
    if (reply !== undefined) this.#openLink?.send(reply)
  }

  #note(text: string): void {
    if (this.#linkState.name === 'linked') this.#linkState = { ...this.#linkState, notice: text }
    this.#report({ type: 'notice', text })
  }

  #gone(): void {
    this.#openLink = undefined
    this.#told.gone()
    this.#runner.linkGone()
  }

  #announce(): void {
    if (this.#serves !== 'leaving') this.#told.tell({ type: 'models', models: this.models().map(splitSlots) })
  }

  #enter(state: LinkState): void {
    this.#linkState = state
    this.#report({ type: 'link', state })
  }

  #report(news: DeviceNews): void {
    this.#options.onNews?.(news)
  }
}

/** With the features that the app adds to those of every engine, and without those that it hides. */
function announcedModels(
  models: readonly DeviceModel[],
  { added, hidden }: { added: readonly Feature[]; hidden: readonly Feature[] },
): DeviceModel[] {
  return models.slice(0, MAX_MODELS_PER_DEVICE).map((model) => ({
    ...model,
    features: [...model.features, ...added].filter((feature) => !hidden.includes(feature)),
  }))
}
