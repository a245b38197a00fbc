// The running device app: keeps the device and its models in step with the files in the state folder, where commands record what the owner
// wants. Each part owns one idea; this file connects them, starts them and stops them. Reports what happens through onNews and knows nothing
// about terminals.

import type { Machine } from '@hearth/protocol'
import { Device } from '../device.ts'
import { EnergyWatch } from '../energy/energy-watch.ts'
import type { Meter } from '../energy/meter.ts'
import { describeError } from '@hearth/command-line/errors'
import type { BackendReport } from '../gpu/backend.ts'
import type { Ladder, LadderOptions } from '../gpu/ladder.ts'
import type { Environment } from '@hearth/command-line/gateway/choose-proxy'
import { createProbeMemory } from '../engines/openai-server/probe/probe-memory.ts'
import type { Dial } from '../link/socket.ts'
import type { DownloadWorld } from '../models/download/download.ts'
import { type ModelEntry } from '../models/registry/registry.ts'
import { formatKeepAlive, parseKeepAlive } from '../models/registry/keep-alive.ts'
import type { DeviceNews, Permission, PullNews, Say } from '../news.ts'
import type { Verdict } from '../owner/permission.ts'
import { decideRemoteChanges } from '../remote-models/permission.ts'
import type { Settings } from '../settings/settings.ts'
import type { StateFolder } from '../state/folder.ts'
import { LastUses } from '../state/last-uses.ts'
import type { DeviceStatus } from '../state/status-file.ts'
import { openLadder } from './back-end/open-ladder.ts'
import { Availability, type AvailabilityWorld } from './availability.ts'
import { openJobPath, type CreateEngine, type JobPath } from './job-path/job-path.ts'
import { ModelLibrary } from './library/library.ts'
import { openModelStore } from './library/open-model-store.ts'
import { LoginFile } from './login-file.ts'
import { createLocalServer } from './servers/local-server.ts'
import { LocalServers } from './servers/local-servers.ts'
import { openSealFile, SEALING_OFF, type SealFile } from '../state/seal-file.ts'
import { StatusWriter } from './status-writer.ts'
import { createFileWatch } from './watch-file.ts'

export interface AppWorld extends AvailabilityWorld {
  dial: Dial
  downloads: Partial<DownloadWorld>
  random: () => number
  environment: Environment & Record<string, string | undefined>
  createEngine: CreateEngine
  /** Everything that may measure this machine's power. */
  meters: readonly Meter[]
  /** How a back end is tried, if not for real. */
  trial?: LadderOptions['trial']
}

export interface AppOptions {
  state: StateFolder
  settings: Settings
  /** This machine's description of itself for the gateway. */
  about: Machine
  onNews: (news: DeviceNews) => void
  world: AppWorld
}

/** How often to check files and hours. */
const LOOK_MS = 1_000

export class App {
  readonly device: Device
  readonly #options: AppOptions
  readonly #end = new AbortController()
  readonly #login: LoginFile
  readonly #seal: SealFile
  readonly #path: JobPath
  readonly #servers: LocalServers
  readonly #library: ModelLibrary
  readonly #availability: Availability
  readonly #energy: EnergyWatch
  readonly #status: StatusWriter
  readonly #isUnblocked: () => boolean
  #opened: Promise<Ladder> | undefined
  /** Undefined until a model was loaded. */
  #backend: BackendReport | undefined
  #stopLooking = (): void => {}

  /** Throws CommandError if this machine is not logged in, or its list of models can't be read. */
  constructor(options: AppOptions) {
    this.#options = options
    this.#login = new LoginFile(options.state.credential, options.settings)
    const isSealingOff = options.settings.withoutFeatures.includes('sealed')
    this.#seal = isSealingOff ? SEALING_OFF : openSealFile(options.state.sealKey, this.#say)
    this.#path = this.#openPath()
    this.#servers = this.#openServers()
    this.#library = this.#openLibrary()
    this.device = this.#openDevice()
    this.#availability = this.#openAvailability()
    this.#energy = this.#openEnergy()
    this.#status = this.#openStatus()
    this.#isUnblocked = createFileWatch(options.state.unblock)
    void this.#start()
  }

  status(): Omit<DeviceStatus, 'updatedAt'> {
    return this.#status.content()
  }

  /** Finishes the running jobs first. */
  async leave(): Promise<void> {
    await this.device.leave(this.#options.settings.drainSeconds * 1000)
    await this.stop()
  }

  /** The device has been dialing since it was created, and serves as soon as its owner's rules allow it. */
  async #start(): Promise<void> {
    void this.#startPath()
    await this.#availability.start()
    if (this.#end.signal.aborted) return
    this.#library.start()
    this.#energy.start()
    this.#stopLooking = this.#options.world.clock.every(LOOK_MS, () => this.#look())
    await this.#library.pullStarter()
  }

  /** First nothing new is accepted, then everything that is still working ends. */
  async stop(): Promise<void> {
    this.#end.abort()
    this.device.stop()
    this.#stopLooking()
    this.#availability.stop()
    this.#energy.stop()
    await this.#library.stop()
    await this.#path.engine.stop()
    this.#status.remove()
  }

  async #startPath(): Promise<void> {
    const { signal } = this.#end
    void this.#servers.start()
    try {
      await this.#path.engine.start(signal)
    } catch (error) {
      // The models of this machine are served anyway.
      if (!signal.aborted) this.#say(`Can't use web search: ${describeError(error)}`)
    }
  }

  #look(): void {
    if (this.#login.hasChanged()) this.device.redial()
    if (this.#isUnblocked()) this.#path.serving.unblock()
    this.#servers.look()
    this.#library.look()
    this.#availability.look()
    this.#status.refresh()
  }

  #heard(news: DeviceNews): void {
    if (news.type === 'jobs') {
      this.#availability.jobsRunning(news.jobs.running)
      this.#library.jobsChanged()
    }
    this.#tell(news)
  }

  #permissionChanged(permission: Verdict): void {
    this.#tell({ type: 'permission', permission })
    this.#library.refresh()
  }

  #computesOn(report: BackendReport): void {
    this.#backend = report
    const { rung, problems, ...card } = report
    const told = problems.map((problem) => ({ name: problem.rung, why: problem.why, remedy: problem.remedy }))
    this.device.tell({ type: 'backend', backend: { name: rung, ...card, problems: told } })
    void this.#library.computesOn(report)
  }

  readonly #say: Say = (text, level) => this.#tell({ type: 'notice', text, ...(level !== undefined && { level }) })

  #tell(news: DeviceNews): void {
    this.#options.onNews(news)
  }

  #keepAliveMs({ keepAlive }: Pick<ModelEntry, 'keepAlive'> = {}): number {
    return keepAlive === undefined ? this.#options.settings.keepAlive : parseKeepAlive(keepAlive)
  }

  #remoteChanges(): Permission {
    return decideRemoteChanges(this.#options.settings.remoteModels, this.#login.credential.joinedBy === 'token')
  }

  /** Opened when the first model needs it, because finding a back end may take a download. */
  #ladder(): Promise<Ladder> {
    this.#opened ??= this.#openLadder({}).catch((error: unknown) => {
      this.#say(`GPU detection failed: ${describeError(error)}`)
      return this.#openLadder({ gpu: 'off' })
    })
    return this.#opened
  }

  #openLadder(changed: Partial<Settings>): Promise<Ladder> {
    const { state, settings, world } = this.#options
    const ladderWorld = {
      ...world,
      say: this.#say,
      now: world.clock.now,
      onPull: (news: PullNews) => this.#library.downloads.pulled(news),
      onPullEnd: () => this.#library.downloads.pullEnded(),
      onReport: (report: BackendReport) => this.#computesOn(report),
    }
    return openLadder(state.gpu, { ...settings, ...changed }, ladderWorld, this.#end.signal)
  }

  #openPath(): JobPath {
    const { world } = this.#options
    return openJobPath({
      ...this.#options,
      clock: world.clock,
      ladder: () => this.#ladder(),
      createEngine: world.createEngine,
      chatTemplateOf: (model) => this.device.defaultsOf(model)?.chatTemplate,
      keepAliveMs: (entry) => this.#keepAliveMs(entry),
      onState: (name, state) => this.#tell({ type: 'model', name, state }),
      onBlocked: (model, { untilMs, ...blocked }) =>
        this.#tell({ type: 'blocked', model, ...blocked, leftMs: untilMs - world.clock.now() }),
      say: this.#say,
    })
  }

  #openServers(): LocalServers {
    const { state, settings, world } = this.#options
    const serverWorld = { clock: world.clock, say: this.#say, memory: createProbeMemory(state.probes) }
    return new LocalServers({
      settings,
      path: state.servers,
      create: (url) => createLocalServer(url, settings, serverWorld),
      serving: this.#path.serving,
      say: this.#say,
      onFound: (servers) => this.#tell({ type: 'servers-found', servers }),
      onChange: () => this.#library.refresh(),
      signal: this.#end.signal,
    })
  }

  #openLibrary(): ModelLibrary {
    const { state, settings, world } = this.#options
    const { signal } = this.#end
    return new ModelLibrary({
      ...this.#options,
      store: openModelStore({ ...world, state, settings, ladder: () => this.#ladder(), signal }),
      login: this.#login,
      offer: this.#path.engine,
      servers: this.#servers,
      permission: () => this.#availability.permission,
      remoteChanges: () => this.#remoteChanges(),
      isIdle: (model) => this.device.runningOn(model) === 0,
      unblock: (model) => this.#path.serving.unblock(model),
      tell: (frame) => this.device.tell(frame),
      say: this.#say,
      onPull: (news) => this.#tell({ type: 'pull', news }),
      onChange: () => this.#availability.update(),
      signal,
    })
  }

  #openDevice(): Device {
    const { about, state, settings, world } = this.#options
    const lastUses = new LastUses(state.lastUses, () => world.clock.date())
    return new Device({
      identity: () => this.#login.read(),
      engine: this.#path.engine,
      offer: this.#library.offer,
      onJob: (model) => lastUses.note(model),
      onModelRequest: (request) => this.#library.answer(request),
      onPieceWanted: (piece) => void this.#library.send(piece),
      takesTemplates: () => this.#remoteChanges().allowed,
      restartEngine: (model) => this.#path.serving.restart(model),
      withoutFeatures: settings.withoutFeatures,
      sealKey: this.#seal.key,
      machine: () => about,
      onNews: (news) => this.#heard(news),
      dial: world.dial,
      clock: world.clock,
      random: world.random,
    })
  }

  #openAvailability(): Availability {
    const { state, settings, world } = this.#options
    return new Availability({
      path: state.control,
      settings,
      world,
      device: this.device,
      serving: this.#path.serving,
      entries: () => this.#library.entries,
      say: this.#say,
      onChange: (permission) => this.#permissionChanged(permission),
      signal: this.#end.signal,
    })
  }

  #openEnergy(): EnergyWatch {
    const { state, world } = this.#options
    return new EnergyWatch({
      meters: world.meters,
      path: state.energy,
      clock: world.clock,
      onEnergy: (energy) => this.device.tell({ type: 'energy', ...(energy && { energy }) }),
      say: this.#say,
    })
  }

  #openStatus(): StatusWriter {
    const { state, world } = this.#options
    return new StatusWriter(state.status, world.clock, {
      device: this.device,
      serving: this.#path.serving,
      credential: () => this.#login.credential,
      permission: () => this.#availability.permission,
      remoteChanges: () => this.#remoteChanges(),
      seal: this.#seal.status,
      backend: () => this.#backend,
      keepAlive: (model) =>
        formatKeepAlive(this.#keepAliveMs(this.#library.entries.find(({ name }) => name === model))),
      pulling: () => this.#library.downloads.pulling,
      servers: () => this.#servers.seen(),
    })
  }
}
