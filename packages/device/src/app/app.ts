// The running device app: keeps the device and its models in step with the files in the state folder, where commands record what the owner
// wants. Reports what happens through onNews and knows nothing about terminals.

import type { Machine, PieceWanted } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import { createDevice, type Device } from '../device.ts'
import type { ChangingEngine, ModelEngine } from '../engines/engine.ts'
import { createProbeMemory } from '../engines/openai-server/probe/probe-memory.ts'
import { DeviceError, describeError } from '../errors.ts'
import type { Backend, BackendReport } from '../gpu/backend.ts'
import type { Machine as GpuMachine } from '../gpu/detect-gpu.ts'
import type { Ladder, LadderOptions } from '../gpu/ladder.ts'
import type { Environment } from '../link/choose-proxy.ts'
import { readGatewayAddress } from '../link/gateway-address.ts'
import type { Dial } from '../link/socket.ts'
import type { DownloadWorld } from '../models/download/download.ts'
import { formatKeepAlive, parseKeepAlive } from '../models/registry/keep-alive.ts'
import type { ModelStore } from '../models/model-store.ts'
import { loadRegistry, type ModelEntry } from '../models/registry/registry.ts'
import { sharedModels } from '../models/sharing/share.ts'
import type { DeviceNews, ModelState, PullNews, Say } from '../news.ts'
import { createKeepAwake, type AwakeProcess, type KeepAwake } from '../owner/keep-awake.ts'
import { decidePermission, type Power, type RunningJobs, type Verdict } from '../owner/permission.ts'
import { readPower } from '../owner/power.ts'
import type { SleepWatch, WatchSleep } from '../owner/sleep-watch.ts'
import { createServing, type Serving } from '../serving/serving.ts'
import type { Settings } from '../settings/settings.ts'
import { FREE, readControl, type Control } from '../state/control-file.ts'
import { loadCredential, type Credential } from '../state/credential.ts'
import type { StateFolder } from '../state/folder.ts'
import { LastUses, readLastUses } from '../state/last-uses.ts'
import type { DeviceStatus } from '../state/status-file.ts'
import type { RunCommand } from '../system/run-command.ts'
import { createWebSearchEngine } from '../web-search/web-search-engine.ts'
import type { TemplatedEntry } from './engine-for.ts'
import { createLadderEngine } from './ladder-engine.ts'
import { createLocalServers } from './local-servers.ts'
import { noteUses } from './note-uses.ts'
import { openLadder } from './open-ladder.ts'
import { openModelStore } from './open-model-store.ts'
import { RememberedFacts } from './remembered-facts.ts'
import { sendPiece } from './send-piece.ts'
import { RemotePart } from './remote-part.ts'
import { searchOptions } from './search-options.ts'
import { StatusWriter } from './status-writer.ts'
import { createFileWatch } from './watch-file.ts'

export interface AppWorld {
  clock: Clock
  dial: Dial
  random: () => number
  run: RunCommand
  /** How models are downloaded. */
  downloads: Partial<DownloadWorld>
  machine: GpuMachine
  environment: Environment & Record<string, string | undefined>
  createEngine: (entry: TemplatedEntry, backend: Backend, others: readonly ModelEntry[]) => ModelEngine
  /** How a back end is tried, if not for real. */
  trial?: LadderOptions['trial']
  startAwakeProcess: () => AwakeProcess | undefined
  watchSleep: WatchSleep
}

export interface AppOptions {
  state: StateFolder
  settings: Settings
  /** What this machine tells the gateway about itself. */
  about: Machine
  onNews: (news: DeviceNews) => void
  world: AppWorld
}

/** How often to check files and hours, and the power state, which takes running another program. */
const LOOK_MS = 1_000
const POWER_MS = 15_000
/** Systems wait five seconds at most before they sleep. */
const BEFORE_SLEEP_MS = 3_000

export class App {
  readonly #options: AppOptions
  readonly #world: AppWorld
  readonly #serving: Serving
  /** The serving, with web search in front of it if the owner configured that. */
  readonly #engine: ChangingEngine
  readonly #device: Device
  readonly #awake: KeepAwake
  readonly #status: StatusWriter
  readonly #store: ModelStore
  readonly #remote: RemotePart
  readonly #end = new AbortController()
  readonly #stops: (() => void)[] = []
  #credential: Credential
  #entries: ModelEntry[] = []
  #control: Control = FREE
  #power: Power = 'unknown'
  #sleep: SleepWatch | undefined
  #isFallingAsleep = false
  #permission: Verdict = { allowed: true }
  /** Opened when the first model is loaded. */
  #ladder: Promise<Ladder> | undefined
  #backend: BackendReport | undefined

  /** Throws DeviceError if this machine is not logged in, or its list of models can't be read. */
  constructor(options: AppOptions) {
    const { state, settings, world } = options
    this.#options = options
    this.#world = world
    this.#credential = loadCredential(state.credential)
    this.#entries = loadRegistry(state.registry)
    const { signal } = this.#end
    this.#store = openModelStore({ ...world, state, settings, ladder: () => this.#openLadder(), signal })
    this.#awake = createKeepAwake(settings.keepAwake ? world.startAwakeProcess : () => undefined, world.clock, () =>
      this.#tell({ type: 'notice', text: "Can't keep this machine awake while jobs run" }),
    )
    this.#serving = this.#createServing()
    const lastUses = new LastUses(state.lastUses, () => world.clock.date())
    this.#engine = noteUses(this.#addWebSearch(this.#serving), (model) => lastUses.note(model))
    this.#remote = this.#openRemote()
    this.#device = this.#createDevice()
    this.#status = new StatusWriter(state.status, world.clock, {
      device: this.#device,
      serving: this.#serving,
      credential: () => this.#credential,
      permission: () => this.#permission,
      backend: () => this.#backend,
      keepAlive: (model) => formatKeepAlive(this.#keepAliveMs(this.#entries.find(({ name }) => name === model))),
    })
    void this.#begin()
  }

  get device(): Device {
    return this.#device
  }

  status(): Omit<DeviceStatus, 'updatedAt'> {
    return this.#status.content()
  }

  /** Finishes the running jobs first. */
  async leave(): Promise<void> {
    await this.#device.leave(this.#options.settings.drainSeconds * 1000)
    await this.stop()
  }

  async stop(): Promise<void> {
    this.#end.abort()
    this.#device.stop()
    for (const stop of this.#stops.splice(0)) stop()
    this.#awake.stop()
    await this.#remote.stop()
    await this.#engine.stop()
    this.#status.remove()
  }

  #createServing(): Serving {
    const { state, settings, world } = this.#options
    const { clock } = world
    const say = this.#say
    const servers = createLocalServers(settings, { clock, say, memory: createProbeMemory(state.probes) })
    const createEngine = (entry: ModelEntry, others: readonly ModelEntry[]): ModelEngine =>
      createLadderEngine(
        () => this.#openLadder(),
        (backend) => world.createEngine(this.#withTemplate(entry), backend, others),
      )
    const onState = (name: string, modelState: ModelState): void =>
      this.#tell({ type: 'model', name, state: modelState })
    const facts = new RememberedFacts(state.facts, settings, clock, readLastUses(state.lastUses))
    const keepAliveMs = (entry: ModelEntry): number => this.#keepAliveMs(entry)
    return createServing({ kind: 'llama', createEngine, servers, clock, onState, keepAliveMs, facts })
  }

  #keepAliveMs({ keepAlive }: Pick<ModelEntry, 'keepAlive'> = {}): number {
    return keepAlive === undefined ? this.#options.settings.keepAlive : parseKeepAlive(keepAlive)
  }

  /** Known before the model is loaded, because a file with a broken template can't be loaded without another one. */
  #withTemplate(entry: ModelEntry): TemplatedEntry {
    const { chatTemplate } = this.#device.defaultsOf(entry.name) ?? {}
    return chatTemplate === undefined ? entry : { ...entry, chatTemplate }
  }

  readonly #say: Say = (text, level = 'warn') => this.#tell({ type: 'notice', text, level })

  #openLadder(): Promise<Ladder> {
    const { state, settings, world } = this.#options
    const onReport = (report: BackendReport): void => this.#computesOn(report)
    const onPull = (news: PullNews): void => this.#pulled(news)
    const onPullEnd = (): void => this.#pullEnded()
    const ladderWorld = { ...world, say: this.#say, now: world.clock.now, onReport, onPull, onPullEnd }
    this.#ladder ??= openLadder(state.gpu, settings, ladderWorld, this.#end.signal).catch((error: unknown) => {
      this.#say(`GPU detection failed: ${describeError(error)}`)
      return openLadder(state.gpu, { ...settings, gpu: 'off' }, ladderWorld, this.#end.signal)
    })
    return this.#ladder
  }

  #computesOn({ rung, problems, ...card }: BackendReport): void {
    this.#backend = { rung, problems, ...card }
    const told = problems.map((problem) => ({ name: problem.rung, why: problem.why, remedy: problem.remedy }))
    this.#device.tellBackend({ name: rung, ...card, problems: told })
    this.#remote.computesOn(this.#backend)
  }

  #addWebSearch(engine: ChangingEngine): ChangingEngine {
    const { settings, world } = this.#options
    const search = searchOptions(settings)
    if (search === undefined) return engine
    const onProblem = (text: string): void => this.#tell({ type: 'notice', text })
    return createWebSearchEngine(engine, { ...search, clock: world.clock, onProblem })
  }

  #openRemote(): RemotePart {
    const { state, settings, world } = this.#options
    return new RemotePart({
      state,
      settings,
      clock: world.clock,
      store: this.#store,
      engine: this.#engine,
      device: () => this.#device,
      credential: () => this.#credential,
      serving: () => this.#permission,
      say: this.#say,
      onPull: (news, by) => this.#noted(news, by),
      onPullEnd: () => (this.#status.pulling = undefined),
      onModels: () => this.#readRegistry(),
    })
  }

  #createDevice(): Device {
    const { settings, world } = this.#options
    return createDevice({
      identity: () => {
        this.#credential = loadCredential(this.#options.state.credential)
        const gateway = readGatewayAddress(this.#credential.gateway, settings)
        return { ...this.#credential, gateway }
      },
      onPieceWanted: (piece) => void this.#send(piece),
      engine: this.#remote.engine,
      onModelRequest: (request) => this.#remote.answer(request),
      restartEngine: (model) => this.#serving.restart(model),
      withoutFeatures: settings.withoutFeatures,
      machine: () => this.#options.about,
      onNews: (news) => this.#heard(news),
      dial: world.dial,
      clock: world.clock,
      random: world.random,
    })
  }

  async #begin(): Promise<void> {
    const { clock } = this.#world
    const { state, settings } = this.#options
    const registryChanged = createFileWatch(state.registry)
    const credentialChanged = createFileWatch(state.credential)
    registryChanged()
    credentialChanged()
    void this.#engine.start(this.#end.signal).catch(() => {})
    await this.#askPower()
    this.#look()
    this.#remote.start()
    this.#watchSleep()
    this.#stops.push(
      clock.every(LOOK_MS, () => {
        if (credentialChanged()) this.#device.redial()
        if (registryChanged()) this.#readRegistry()
        this.#look()
        this.#status.refresh()
      }),
      clock.every(POWER_MS, () => void this.#askPower()),
    )
    this.#apply()
    if (this.#entries.length === 0 && settings.upstream.length === 0 && settings.starter) await this.#pullStarter()
  }

  #readRegistry(): void {
    try {
      this.#entries = loadRegistry(this.#options.state.registry)
      this.#apply()
      this.#remote.refresh()
    } catch (error) {
      this.#tell({ type: 'notice', text: describeError(error) })
    }
  }

  async #askPower(): Promise<void> {
    if (this.#options.settings.onlyOnMains) this.#power = await readPower(this.#world.machine.platform, this.#world.run)
  }

  #look(): void {
    const { hours, onlyOnMains } = this.#options.settings
    this.#control = readControl(this.#options.state.control)
    const rules = { ...this.#control, isFallingAsleep: this.#isFallingAsleep, hours, onlyOnMains }
    const permission = decidePermission(rules, this.#world.clock.date(), this.#power)
    const isNew = JSON.stringify(permission) !== JSON.stringify(this.#permission)
    this.#permission = permission
    if (!isNew) return
    this.#tell({ type: 'permission', permission })
    this.#apply()
    if (!permission.allowed) this.#clear(permission.jobs)
    this.#remote.refresh()
  }

  async #send(piece: PieceWanted): Promise<void> {
    const { state, settings, world } = this.#options
    const { credential, gateway } = this.#credential
    const login = { credential, gateway: readGatewayAddress(gateway, settings) }
    const sender = { login, entries: this.#entries, folder: state.models, fetch: world.downloads.fetch ?? fetch }
    await sendPiece(piece, sender, this.#end.signal)
  }

  #apply(): void {
    this.#device.tellShared(sharedModels(this.#entries, this.#options.state.models))
    this.#device.tellRest(this.#permission.allowed ? undefined : this.#permission.rest)
    this.#device.allow(this.#permission.allowed)
    if (this.#permission.allowed) return this.#load()
    // After a sleep, the models are still in memory.
    if (!this.#isFallingAsleep) void this.#unload()
  }

  #clear(jobs: RunningJobs): void {
    if (jobs === 'return') this.#device.stopJobs()
    if (jobs === 'hand-over') void this.#handOver()
  }

  async #handOver(): Promise<void> {
    const { drainSeconds } = this.#options.settings
    if (!this.#isFallingAsleep) return this.#device.handOver(drainSeconds * 1000)
    await this.#device.handOver(BEFORE_SLEEP_MS)
    this.#sleep?.letSleep()
  }

  #watchSleep(): void {
    if (this.#end.signal.aborted) return
    const change = (isFallingAsleep: boolean) => (): void => {
      this.#isFallingAsleep = isFallingAsleep
      this.#look()
    }
    const isBusy = (): boolean => this.#device.jobs.running > 0
    this.#sleep = this.#world.watchSleep({ onSleep: change(true), onWake: change(false), isBusy })
    this.#stops.push(() => this.#sleep?.stop())
  }

  #load(): void {
    if (!this.#end.signal.aborted) this.#serving.sync(this.#entries)
  }

  /** Frees the memory as soon as the last job is done. */
  async #unload(): Promise<void> {
    await this.#device.idle()
    if (!this.#permission.allowed) this.#serving.sync([])
  }

  async #pullStarter(): Promise<void> {
    try {
      await this.#store.pull('starter', { onNews: (news) => this.#pulled(news), signal: this.#end.signal })
    } catch (error) {
      if (this.#end.signal.aborted) return
      const advice = error instanceof DeviceError && error.advice !== undefined ? ` → ${error.advice}` : ''
      this.#tell({ type: 'notice', text: `${describeError(error)}${advice}` })
    } finally {
      this.#pullEnded()
    }
  }

  #pullEnded(): void {
    this.#status.pulling = undefined
    this.#remote.pullEnded()
  }

  #pulled(news: PullNews): void {
    this.#remote.pulled(news)
    this.#noted(news)
  }

  #noted(news: PullNews, by?: string): void {
    this.#status.pulling =
      news.type === 'progress'
        ? { label: news.label, progress: news.progress, ...(by !== undefined && { by }) }
        : undefined
    this.#tell({ type: 'pull', news })
  }

  #heard(news: DeviceNews): void {
    if (news.type === 'jobs') {
      this.#awake.jobsRunning(news.jobs.running)
      this.#remote.jobsChanged()
    }
    this.#tell(news)
  }

  #tell(news: DeviceNews): void {
    this.#options.onNews(news)
  }
}
