// Carries out what people ask for in the console: downloads models, removes them, and says what this machine keeps. Every request is shown
// to the owner with the name of the person who asked.

import {
  plainSource,
  type Download,
  type FoundModel,
  type Library,
  type ModelReply,
  type ModelRequestFrame,
  MAX_REASON_LENGTH,
  type ModelProblem,
  type ModelProblemCode,
} from '@hearth/protocol'
import { formatBytes, formatMemory } from '@hearth/command-line/format'
import { leastMemory, SPARE_DISK_BYTES } from '@hearth/model-list'
import type { LookedUp, ModelStore } from '../models/model-store.ts'
import type { ModelDescription } from '../models/pull/describe-reference.ts'
import type { ModelEntry } from '../models/registry/registry.ts'
import type { Permission, PullNews, Say } from '../news.ts'
import { describeLibrary } from './describe-library.ts'
import { ModelDownloads } from './model-downloads.ts'
import { CommandError, describeError, StorageError } from '@hearth/command-line/errors'
import { HubUnreachable } from '../models/hub/hub.ts'
import { ForbiddenAddress } from '../outside/web-rules.ts'

export type RemoteStore = Pick<ModelStore, 'list' | 'lookUp' | 'pull' | 'discard' | 'remove'>

export interface RemoteModelsOptions {
  store: RemoteStore
  /** Where unfinished downloads are listed. */
  path: string
  permission: () => Permission
  /** Whether jobs run with chat templates from the console. */
  takesTemplates: () => boolean
  diskFreeBytes: () => number
  memoryBytes: () => number
  isDeletable: (entry: ModelEntry) => boolean
  /** Takes no more jobs for the model and calls `remove` when the running ones are done. */
  withdraw: (model: string, remove: () => void) => void
  /** Accepts the model's blocked requests again. */
  unblock: (model: string) => void
  say: Say
  /** News of the download that runs, and who asked for it. */
  onPull: (news: PullNews, by: string) => void
  onPullEnd: () => void
  onDownloads: () => void
  onLibrary: (library: Library) => void
  /** The registry has changed. */
  onModels: () => void
}

/** Each asks the hub from the owner's network, and may keep a long answer in memory. */
const MAX_LOOK_UPS = 8
/** More than a slow hub takes to list the files of a model. */
const LOOK_UP_MS = 40_000

export class RemoteModels {
  readonly #options: RemoteModelsOptions
  readonly #downloads: ModelDownloads
  readonly #end = new AbortController()
  #lookUps = 0

  constructor(options: RemoteModelsOptions) {
    this.#options = options
    const { path, store, onPull, onPullEnd, onDownloads } = options
    this.#downloads = new ModelDownloads({
      path,
      store,
      onNews: onPull,
      onEnd: onPullEnd,
      onChange: onDownloads,
      onDone: (model) => this.#arrived(model),
    })
  }

  start(): void {
    this.#downloads.start()
    this.refresh()
  }

  downloads(): Download[] {
    return this.#downloads.list()
  }

  /** Tells the gateway what has changed, if anything has. */
  refresh(): void {
    const { store, permission, takesTemplates, diskFreeBytes, memoryBytes, isDeletable, onLibrary } = this.#options
    try {
      const room = { diskFreeBytes: diskFreeBytes(), memoryBytes: memoryBytes() }
      const rules = { permission: permission(), takesTemplates: takesTemplates() }
      onLibrary(describeLibrary({ ...rules, entries: store.list(), isDeletable, ...room }))
    } catch {
      // The registry or the disk can't be read right now; the app tells its owner elsewhere.
    }
  }

  /** Never rejects. */
  async answer(frame: ModelRequestFrame): Promise<ModelReply> {
    const { request } = frame
    try {
      const permission = this.#options.permission()
      if (!permission.allowed) throw new RequestProblem('not-allowed', `It doesn't allow this: ${permission.why}`)
      return { type: 'model-reply', request, ...(await this.#act(frame)) }
    } catch (error) {
      return { type: 'model-reply', request, problem: describeProblem(error) }
    }
  }

  async stop(): Promise<void> {
    this.#end.abort()
    await this.#downloads.stop()
  }

  #act(frame: ModelRequestFrame): Promise<Pick<ModelReply, 'found' | 'hits' | 'freedBytes'>> {
    switch (frame.type) {
      case 'model-look-up':
        return this.#lookUp(frame.source).then((found) => describeFound(frame.source, found))
      case 'model-fetch':
        return this.#fetch(frame.source, frame.by)
      case 'model-pause':
        return this.#pause(frame.model, frame.by)
      case 'model-cancel':
        return this.#cancel(frame.model, frame.by)
      case 'model-remove':
        return this.#remove(frame.model, frame.by)
      case 'model-unblock':
        return this.#unblock(frame.model, frame.by)
      default:
        return frame satisfies never
    }
  }

  async #lookUp(reference: string): Promise<LookedUp> {
    if (this.#lookUps >= MAX_LOOK_UPS)
      throw new RequestProblem('failed', 'it is looking up as many models as it can', 'try again in a moment')
    const signal = AbortSignal.any([this.#end.signal, AbortSignal.timeout(LOOK_UP_MS)])
    this.#lookUps += 1
    try {
      return await this.#options.store.lookUp(reference, signal)
    } finally {
      this.#lookUps -= 1
    }
  }

  async #fetch(reference: string, by: string): Promise<{ found: FoundModel }> {
    const known = this.#downloads.find(reference)
    const found = known ?? toFetch(reference, await this.#lookUp(reference))
    if (this.#has(found)) return { found }
    if (known === undefined) this.#requireRoom(found)
    if (known === undefined && this.#downloads.isFull) throw tooMany()
    this.#tellOwner(by, `download ${found.name} (${formatBytes(found.bytes)})`)
    this.#downloads.add(reference, found, by)
    return { found }
  }

  /** Asked for again, a model that is here already needs no download. */
  #has({ name }: FoundModel): boolean {
    const isHere = this.#options.store.list().some((entry) => entry.name === name)
    return isHere && this.#downloads.find(name) === undefined
  }

  #requireRoom({ bytes }: FoundModel): void {
    const free = this.#options.diskFreeBytes()
    const missing = bytes + SPARE_DISK_BYTES - free
    if (missing > 0)
      throw new RequestProblem(
        'no-room',
        `its disk is too full: the model needs ${formatBytes(bytes)}, and ${formatBytes(free)} are free`,
        `free up ${formatBytes(missing)} there, for example by removing a model`,
      )
  }

  async #pause(model: string, by: string): Promise<object> {
    if (!(await this.#downloads.pause(model))) throw notDownloading(model)
    this.#tellOwner(by, `pause the download of ${model}`)
    return {}
  }

  async #cancel(model: string, by: string): Promise<object> {
    if (!(await this.#downloads.cancel(model))) throw notDownloading(model)
    this.#tellOwner(by, `cancel the download of ${model}`)
    this.refresh()
    return {}
  }

  async #remove(model: string, by: string): Promise<{ freedBytes: number }> {
    const entry = this.#options.store.list().find(({ name }) => name === model)
    if (entry === undefined)
      throw new RequestProblem('not-found', `it has no model "${model}"`, 'reload the page to see its models')
    this.#tellOwner(by, `remove ${model}`)
    this.#options.withdraw(model, () => this.#removeNow(model))
    return { freedBytes: this.#options.isDeletable(entry) ? entry.bytes : 0 }
  }

  /** Also for a model that blocks nothing any more: the person gets what they asked for. */
  async #unblock(model: string, by: string): Promise<object> {
    this.#tellOwner(by, `accept the blocked requests of ${model} again`)
    this.#options.unblock(model)
    return {}
  }

  #removeNow(model: string): void {
    try {
      this.#options.store.remove(model)
    } catch (error) {
      this.#options.say(`Can't remove ${model}: ${describeProblem(error).message}`)
    }
    this.#options.onModels()
    this.refresh()
  }

  #arrived(model: string): void {
    this.#options.say(`${model} is downloaded`, 'good')
    this.#options.onModels()
    this.refresh()
  }

  #tellOwner(by: string, what: string): void {
    this.#options.say(`${by} asked in the console to ${what}`, 'info')
  }
}

function tooMany(): RequestProblem {
  return new RequestProblem(
    'no-room',
    'it has as many downloads as it takes, with those that wait, are paused or failed',
    'wait for some of them, or cancel them',
  )
}

function notDownloading(model: string): RequestProblem {
  return new RequestProblem(
    'not-found',
    `it is not downloading ${model} any more`,
    'if the download has finished, remove the model instead',
  )
}

function describeFound(reference: string, { description, hits }: LookedUp): Pick<ModelReply, 'found' | 'hits'> {
  if (description === undefined) return { hits }
  return { found: { ...toFound(reference, description), quantizations: description.quantizations }, hits }
}

/** Throws RequestProblem if the text means no model, or none that fits. */
function toFetch(reference: string, { description }: LookedUp): FoundModel {
  if (description === undefined)
    throw new RequestProblem('not-found', `"${plainSource(reference)}" is not the name of a model`, 'look it up first')
  const { name, candidates } = description
  if (candidates.length > 0 && !candidates.some(({ isChosen }) => isChosen)) throw tooLarge(name, candidates)
  return toFound(reference, description)
}

/** If nothing fits, the smallest counts: the console shows what is missing for it. */
function toFound(reference: string, { name, candidates, license }: ModelDescription): FoundModel {
  const { bytes } = candidates.find(({ isChosen }) => isChosen) ?? candidates[0] ?? { bytes: 0 }
  const memoryBytes = Math.floor(leastMemory({ bytes }))
  return { name, source: plainSource(reference), bytes, memoryBytes, ...(license !== undefined && { license }) }
}

function tooLarge(name: string, candidates: ModelDescription['candidates']): RequestProblem {
  const missing = Math.min(...candidates.map(({ fit }) => (fit.fits ? 0 : fit.missingBytes)))
  return new RequestProblem(
    'no-room',
    `${name} doesn't fit into its memory: it needs ${formatMemory(missing)} more`,
    'choose a smaller model, or another device',
  )
}

// Why a request from the console can't be carried out, in words for the person who asked.
class RequestProblem extends CommandError {
  override name = 'RequestProblem'
  readonly code: ModelProblemCode

  constructor(code: ModelProblemCode, message: string, advice?: string) {
    super(message, advice)
    this.code = code
  }
}

function describeProblem(error: unknown): ModelProblem {
  const advice = error instanceof CommandError ? error.advice : undefined
  return {
    code: codeOf(error),
    message: describeError(error).slice(0, MAX_REASON_LENGTH),
    ...(advice !== undefined && { remedy: advice.slice(0, MAX_REASON_LENGTH) }),
  }
}

function codeOf(error: unknown): ModelProblemCode {
  if (error instanceof RequestProblem) return error.code
  if (error instanceof ForbiddenAddress) return 'not-allowed'
  if (error instanceof StorageError) return 'no-room'
  if (error instanceof HubUnreachable) return 'unreachable'
  return error instanceof CommandError ? 'not-found' : 'failed'
}
