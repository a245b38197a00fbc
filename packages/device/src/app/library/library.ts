// The models on this machine's disk: the list of those it serves, their downloads, and what people in the console do with them, as far as the
// owner allows. Every request is shown to the owner with the name of the person who asked.

import { cpus } from 'node:os'
import { relative } from 'node:path'
import {
  MAX_FOUND,
  MAX_MODELS_PER_DEVICE,
  MAX_REASON_LENGTH,
  MAX_SOURCE_LENGTH,
  plainSource,
  type FoundModel,
  type KeptModel,
  type Library,
  type ModelReply,
  type ModelRequestFrame,
  type PieceWanted,
} from '@hearth/protocol'
import { describeError, explainError } from '@hearth/command-line/errors'
import { formatBytes } from '@hearth/command-line/format'
import { availableMemory } from '@hearth/command-line/machine/available-memory'
import { freeBytesOf } from '@hearth/command-line/machine/folders'
import { SPARE_DISK_BYTES } from '@hearth/model-list'
import type { Clock } from '../../clock.ts'
import type { BackendReport } from '../../gpu/backend.ts'
import type { StandingFrame } from '../../link/last-frames.ts'
import type { DownloadWorld } from '../../models/download/download.ts'
import type { FoundFile } from '../../models/found/found-file.ts'
import type { LookedUp, ModelStore } from '../../models/model-store.ts'
import type { ModelEntry } from '../../models/registry/registry.ts'
import { foundReference, isFoundReference } from '../../models/pull/source.ts'
import { sendPiece, sharedModels } from '../../models/sharing/shared-models.ts'
import type { FoundServer, Permission, PullNews, Say } from '../../news.ts'
import { Downloads } from '../../remote-models/downloads.ts'
import { decideRemoteModels } from '../../remote-models/permission.ts'
import { RequestProblem, toModelProblem } from '../../remote-models/request-problem.ts'
import { describeFound, noSuchServer, notDownloading, toFetch, tooMany } from '../../remote-models/requests.ts'
import { Withdrawals, type OfferedModels } from '../../remote-models/withdrawals.ts'
import { addressesToServe } from '../../settings/added-servers.ts'
import type { Settings } from '../../settings/settings.ts'
import type { StateFolder } from '../../state/folder.ts'
import { memoryForModels } from '../back-end/judge-fit.ts'
import type { LoginFile } from '../login-file.ts'
import type { LocalServers } from '../servers/local-servers.ts'
import { createFileWatch } from '../watch-file.ts'

export interface LibraryOptions {
  state: Pick<StateFolder, 'registry' | 'models' | 'downloads' | 'servers'>
  settings: Pick<Settings, 'drainSeconds' | 'starter' | 'upstream'>
  world: { clock: Clock; downloads: Partial<DownloadWorld> }
  store: Pick<ModelStore, 'list' | 'lookUp' | 'pull' | 'discard' | 'remove' | 'memory' | 'foundFiles'>
  login: Pick<LoginFile, 'identity'>
  /** All models that can take jobs. */
  offer: OfferedModels
  servers: Pick<LocalServers, 'seen' | 'serve'>
  permission: () => Permission
  /** Whether administrators may change models and chat templates. */
  remoteChanges: () => Permission
  isIdle: (model: string) => boolean
  unblock: (model: string) => void
  tell: (frame: StandingFrame) => void
  say: Say
  onPull: (news: PullNews) => void
  /** The list of models has changed. */
  onChange: () => void
  signal: AbortSignal
}

/** How often to look how much room the disk has. */
const LOOK_MS = 10_000
/** How often to look for files of other programs, in case there are new ones. */
const FIND_FILES_MS = 60_000
/** Each asks the hub from the owner's network, and may keep a long answer in memory. */
const MAX_LOOK_UPS = 8
/** More than a slow hub takes to list the files of a model. */
const LOOK_UP_MS = 40_000
/** The room on a disk changes all the time; people don't need to see each file. */
const DISK_STEP_BYTES = 100_000_000

export class ModelLibrary {
  /** Also hears of the app's own downloads. */
  readonly downloads: Downloads
  /** The models that take jobs: not those that are about to be removed. */
  readonly offer: Withdrawals
  readonly #options: LibraryOptions
  /** Commands change the file while the app runs. */
  readonly #hasChanged: () => boolean
  #entries: readonly ModelEntry[]
  #memoryBytes = memoryForModels({ ram: availableMemory(), cores: cpus().length })
  #lookUps = 0
  #files: readonly FoundFile[] = []
  #stopLooking = (): void => {}
  #stopFinding = (): void => {}

  /** Throws CommandError if the list of models can't be read. */
  constructor(options: LibraryOptions) {
    this.#options = options
    const { state, settings, world, store, offer, tell, onPull } = options
    this.#entries = store.list()
    this.#hasChanged = createFileWatch(state.registry)
    this.#hasChanged()
    this.downloads = new Downloads({
      path: state.downloads,
      store,
      clock: world.clock,
      tell: (downloads) => tell({ type: 'downloads', downloads }),
      onNews: onPull,
      onDone: (model) => this.#arrived(model),
    })
    this.offer = new Withdrawals(offer, world.clock, settings.drainSeconds * 1000)
  }

  get entries(): readonly ModelEntry[] {
    return this.#entries
  }

  start(): void {
    this.downloads.start()
    const { clock } = this.#options.world
    this.#stopLooking = clock.every(LOOK_MS, () => this.refresh())
    this.#stopFinding = clock.every(FIND_FILES_MS, () => void this.#findFiles())
    this.#changed()
    void this.#findFiles()
  }

  /** Call this often: commands change the list of models. */
  look(): void {
    if (this.#hasChanged()) this.#read()
  }

  /** Tells the gateway what has changed, if anything has. */
  refresh(): void {
    try {
      this.#options.tell({ type: 'library', library: this.#describe() })
    } catch {
      // The registry or the disk can't be read right now; the app tells its owner elsewhere.
    }
  }

  jobsChanged(): void {
    this.offer.jobsChanged(this.#options.isIdle)
  }

  /** A card has memory of its own, which takes another process to measure. */
  async computesOn({ rung }: BackendReport): Promise<void> {
    if (rung === 'cpu') return
    try {
      this.#memoryBytes = await this.#options.store.memory()
      this.refresh()
    } catch (error) {
      // Fails only at the end of the app, or if the ladder lost this rung and finds no other. The memory of the machine counts until then.
      this.#options.say(`Can't measure the memory of the GPU: ${describeError(error)}`, 'info')
    }
  }

  /** Answers a person in the console. Never rejects. */
  async answer(frame: ModelRequestFrame): Promise<ModelReply> {
    const { request } = frame
    try {
      const permission = this.#permission()
      if (!permission.allowed) throw new RequestProblem('not-allowed', `It doesn't allow this: ${permission.why}`)
      return { type: 'model-reply', request, ...(await this.#act(frame)) }
    } catch (error) {
      return { type: 'model-reply', request, problem: toModelProblem(error) }
    }
  }

  async send(piece: PieceWanted): Promise<void> {
    const { state, world, login, signal } = this.#options
    const from = { login: login.identity(), entries: this.entries, folder: state.models }
    await sendPiece(piece, { ...from, fetch: world.downloads.fetch ?? fetch }, signal)
  }

  /** For a machine that has nothing to serve, if its owner wants it. Never rejects: the owner can still pull a model. */
  async pullStarter(): Promise<void> {
    const { state, settings, store, say, signal } = this.#options
    if (!settings.starter || this.entries.length > 0 || addressesToServe(settings, state.servers).length > 0) return
    try {
      await store.pull('starter', { onNews: (news) => this.downloads.pulled(news), signal })
    } catch (error) {
      if (!signal.aborted) say(explainError(error))
    } finally {
      this.downloads.pullEnded()
    }
  }

  async stop(): Promise<void> {
    this.#stopLooking()
    this.#stopFinding()
    this.offer.stop()
    await this.downloads.stop()
  }

  /** If the file can't be read, the list stays as it was. */
  #read(): void {
    const { store, say } = this.#options
    try {
      this.#entries = store.list()
    } catch (error) {
      return say(describeError(error))
    }
    this.#changed()
  }

  #changed(): void {
    const { state, tell, onChange } = this.#options
    tell({ type: 'shared', models: sharedModels(this.entries, state.models) })
    onChange()
    this.refresh()
  }

  #permission(): Permission {
    const { remoteChanges, permission } = this.#options
    return decideRemoteModels(remoteChanges(), permission())
  }

  #describe(): Library {
    const { remoteChanges, servers, store, state } = this.#options
    const permission = this.#permission()
    const entries = store.list()
    const kept = entries.slice(0, MAX_MODELS_PER_DEVICE)
    const found = permission.allowed ? servers.seen() : undefined
    return {
      isOpen: permission.allowed,
      ...(!permission.allowed && { why: permission.why.slice(0, MAX_REASON_LENGTH) }),
      ...(found && { servers: found.map(describeServer) }),
      ...(permission.allowed && { files: describeFiles(this.#files, entries) }),
      takesTemplates: remoteChanges().allowed,
      diskFreeBytes: Math.floor(this.#diskFreeBytes() / DISK_STEP_BYTES) * DISK_STEP_BYTES,
      memoryBytes: Math.floor(this.#memoryBytes),
      models: kept.map((entry) => describeEntry(entry, isOwn(entry, state.models, entries))),
    }
  }

  /** Where nobody else may ask for them, nobody looks. */
  async #findFiles(): Promise<void> {
    if (!this.#permission().allowed) return
    this.#files = await this.#options.store.foundFiles()
    if (!this.#options.signal.aborted) this.refresh()
  }

  #diskFreeBytes(): number {
    const { state, world } = this.#options
    return (world.downloads.freeBytes ?? freeBytesOf)(state.models)
  }

  async #act(frame: ModelRequestFrame): Promise<Pick<ModelReply, 'found' | 'hits' | 'freedBytes'>> {
    switch (frame.type) {
      case 'model-look-up':
        return describeFound(frame.source, await this.#lookUp(frame.source))
      case 'model-fetch':
        return this.#fetch(frame.source, frame.by)
      case 'model-pause':
        if (!(await this.downloads.pause(frame.model))) throw notDownloading(frame.model)
        this.#tellOwner(frame.by, `pause the download of ${frame.model}`)
        return {}
      case 'model-cancel':
        if (!(await this.downloads.cancel(frame.model))) throw notDownloading(frame.model)
        this.#tellOwner(frame.by, `cancel the download of ${frame.model}`)
        this.refresh()
        return {}
      case 'model-remove':
        return this.#remove(frame.model, frame.by)
      case 'model-unblock':
        // Also for a model that blocks nothing any more: the person gets what they asked for.
        this.#tellOwner(frame.by, `accept the blocked requests of ${frame.model} again`)
        this.#options.unblock(frame.model)
        return {}
      case 'server-add':
        if (!this.#options.servers.serve(frame.server)) throw noSuchServer(frame.server)
        this.#tellOwner(frame.by, `serve the models of ${frame.server}`)
        return {}
      default:
        return frame satisfies never
    }
  }

  async #lookUp(reference: string): Promise<LookedUp> {
    if (this.#lookUps >= MAX_LOOK_UPS)
      throw new RequestProblem('failed', 'it is looking up as many models as it can', 'try again in a moment')
    const signal = AbortSignal.any([this.#options.signal, AbortSignal.timeout(LOOK_UP_MS)])
    this.#lookUps += 1
    try {
      return await this.#options.store.lookUp(reference, signal)
    } finally {
      this.#lookUps -= 1
    }
  }

  async #fetch(reference: string, by: string): Promise<{ found: FoundModel }> {
    const known = this.downloads.find(reference)
    const found = known ?? toFetch(reference, await this.#lookUp(reference))
    if (this.#has(found)) return { found }
    const isHere = isFoundReference(reference)
    if (known === undefined && !isHere) this.#requireRoom(found)
    if (known === undefined && this.downloads.isFull) throw tooMany()
    this.#tellOwner(by, `${isHere ? 'use the file of' : 'download'} ${found.name} (${formatBytes(found.bytes)})`)
    this.downloads.add(reference, found, by)
    return { found }
  }

  /** Asked for again, a model that is here already needs no download. */
  #has({ name }: FoundModel): boolean {
    const isHere = this.#options.store.list().some((entry) => entry.name === name)
    return isHere && this.downloads.find(name) === undefined
  }

  #requireRoom({ bytes }: FoundModel): void {
    const free = this.#diskFreeBytes()
    const missing = bytes + SPARE_DISK_BYTES - free
    if (missing > 0)
      throw new RequestProblem(
        'no-room',
        `its disk is too full: the model needs ${formatBytes(bytes)}, and ${formatBytes(free)} are free`,
        `free up ${formatBytes(missing)} there, for example by removing a model`,
      )
  }

  /** It takes no more jobs, and goes when the running ones are done. */
  #remove(model: string, by: string): { freedBytes: number } {
    const { state, store, isIdle } = this.#options
    const entries = store.list()
    const entry = entries.find(({ name }) => name === model)
    if (entry === undefined)
      throw new RequestProblem('not-found', `it has no model "${model}"`, 'reload the page to see its models')
    this.#tellOwner(by, `remove ${model}`)
    this.offer.withdraw({ model, remove: () => this.#removeNow(model) }, isIdle(model))
    return { freedBytes: isOwn(entry, state.models, entries) ? entry.bytes : 0 }
  }

  #removeNow(model: string): void {
    const { store, say } = this.#options
    try {
      store.remove(model)
    } catch (error) {
      say(`Can't remove ${model}: ${toModelProblem(error).message}`)
    }
    this.#read()
  }

  #arrived(model: string): void {
    this.#options.say(`${model} is downloaded`, 'good')
    this.#read()
  }

  #tellOwner(by: string, what: string): void {
    this.#options.say(`${by} asked in the console to ${what}`, 'info')
  }
}

/** Files elsewhere belong to the owner, and a file that another model needs stays. */
function isOwn({ path }: ModelEntry, folder: string, entries: readonly ModelEntry[]): boolean {
  const isShared = entries.filter((entry) => entry.path === path).length > 1
  return !isShared && !relative(folder, path).startsWith('..')
}

function describeFiles(files: readonly FoundFile[], entries: readonly ModelEntry[]): NonNullable<Library['files']> {
  const others = files.filter(({ path }) => !entries.some((entry) => entry.path === path))
  return others.slice(0, MAX_FOUND).map(({ name, bytes, quant, place }) => {
    return { name, source: foundReference(name), bytes, ...(quant !== undefined && { quant }), keptBy: place }
  })
}

function describeServer({ url, title, models, isServed }: FoundServer): NonNullable<Library['servers']>[number] {
  return { url, name: title, models: models.length, isServed }
}

function describeEntry({ name, bytes, source }: ModelEntry, isDeletable: boolean): KeptModel {
  // A path says something about the owner's folders, which is nobody else's business.
  const isPath = /^[./~\\]|^[a-zA-Z]:[\\/]/.test(source)
  return { name, bytes, ...(!isPath && { source: plainSource(source).slice(0, MAX_SOURCE_LENGTH) }), isDeletable }
}
