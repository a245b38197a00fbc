// The models of this machine, for whoever adds and removes them: the command line, and administrators over the link. Everything here
// leaves the registry as it was unless it succeeds.

import type { FoundFile } from './found/found-file.ts'
import type { PullNews } from '../news.ts'
import type { HubModel } from '@hearth/protocol'
import { SPARE_DISK_BYTES, type HubRepository } from '@hearth/model-list'
import { describeSource, type ModelDescription } from './pull/describe-reference.ts'
import { pullModel, type PullWorld } from './pull/pull.ts'
import { registerModel, removeModel, type ModelFiles, type Removal } from './registry/register-model.ts'
import { loadRegistry, type ModelEntry } from './registry/registry.ts'
import { parseDownload, parseSource, UnknownModel, type ModelSource, isStarter } from './pull/source.ts'
import { NotOnHub } from './hub/hub-rejection.ts'
import { searchHub, searchIfPossible, suggestNames } from './hub/suggest.ts'
import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PartialFile } from './download/partial-file.ts'
import { allParts, groupName, quantOf } from './hub/file-groups.ts'
import { hubFileName, urlFileName } from './hub/resolve.ts'
import { STARTER } from './pull/starter.ts'

export type ModelSettings = Pick<ModelEntry, 'slots' | 'contextLength' | 'gpuLayers' | 'keepAlive'>

/** How to reach addresses that somebody else chose. */
export interface Outside {
  /** For the owner's hub, and wherever it leads to. */
  fromHub: typeof fetch
  /** For a URL. */
  fromUrl: typeof fetch
  /** Throws ForbiddenAddress if a download from there would fail for that reason. */
  check: (url: URL, signal: AbortSignal) => Promise<void>
}

export interface ModelStoreWorld extends Omit<PullWorld, 'onNews' | 'folder' | 'ceiling'> {
  files: ModelFiles
  /** How many bytes one model may take here, weights and context together. */
  memory: () => Promise<number>
  outside: Outside
}

export interface PullOptions {
  /** Steps, progress and warnings, as they happen. */
  onNews: (news: PullNews) => void
  /** Stops the download, but keeps what has arrived: the next pull of the same reference continues there. */
  signal: AbortSignal
  /** The name to serve it under, if not the usual one. */
  as?: string
  /** The owner's settings for this model. */
  settings?: ModelSettings
  /** Someone else asks, so nothing on this machine may be named. */
  isRemote?: boolean
}

export interface LookedUp {
  /** Absent if the text is no reference, or there is nothing with that name. */
  description?: ModelDescription
  hits: HubModel[]
}

export class ModelStore {
  readonly #world: ModelStoreWorld

  constructor(world: ModelStoreWorld) {
    this.#world = world
  }

  /** How many bytes one model may take on this machine, weights and context together. */
  memory(): Promise<number> {
    return this.#world.memory()
  }

  list(): ModelEntry[] {
    return loadRegistry(this.#world.files.registry)
  }

  /** What other programs keep on this machine. */
  foundFiles(): Promise<FoundFile[]> {
    return this.#world.foundFiles()
  }

  /** For someone else: the model that this text refers to, and those of the hub that it finds. Throws CommandError if there are none. */
  async lookUp(text: string, signal: AbortSignal): Promise<LookedUp> {
    const world = this.#outsideWorld('fromHub')
    try {
      const source = parseDownload(text)
      if (source.kind === 'url') await this.#world.outside.check(source.url, signal)
      // The name of a listed model is also a word that people search for.
      const hits = source.kind === 'listed' ? searchIfPossible(text, world.hub, signal) : []
      const description = await describeSource(source, world, signal)
      return { description, hits: await hits }
    } catch (error) {
      if (!(error instanceof UnknownModel) && !(error instanceof NotOnHub)) throw error
      const hits = await searchHub(text, world.hub, signal)
      if (hits.length === 0) throw error
      return { hits }
    }
  }

  /** Downloads the model, verifies it and registers it; the running app then serves it. Throws CommandError. */
  async pull(reference: string, options: PullOptions): Promise<ModelEntry> {
    const { onNews, signal, as, settings = {}, isRemote = false } = options
    const parse = isRemote ? parseDownload : parseSource
    const source = await this.#parse(parse, reference, isRemote ? this.#outsideWorld('fromHub') : this.#world, signal)
    const way = source.kind === 'url' ? 'fromUrl' : 'fromHub'
    const world = { ...(isRemote ? this.#outsideWorld(way) : this.#ownersWorld()), onNews }
    const entry = { ...(await pullModel(source, reference, as, world, signal)), ...settings }
    signal.throwIfAborted()
    return registerModel(this.#world.files, entry)
  }

  /** Deletes what a stopped pull of this reference has downloaded so far. */
  discard(reference: string): void {
    discardPartials(parseDownload(reference), this.#world.files)
  }

  /** Throws CommandError if there is no such model. */
  remove(name: string): Removal {
    return removeModel(this.#world.files, name)
  }

  async #parse(
    parse: (text: string) => ModelSource,
    reference: string,
    { hub }: Pick<PullWorld, 'hub'>,
    signal: AbortSignal,
  ): Promise<ModelSource> {
    try {
      return parse(reference)
    } catch (error) {
      if (!(error instanceof UnknownModel)) throw error
      const near = await suggestNames(reference, hub, signal)
      throw near === '' ? error : new UnknownModel(error.message, near)
    }
  }

  /** At their own terminal, owners download from wherever they like. */
  #ownersWorld(): Omit<PullWorld, 'onNews'> {
    const { files, memory: _, outside: __, ...world } = this.#world
    return { ...world, folder: files.models }
  }

  #outsideWorld(way: 'fromHub' | 'fromUrl'): Omit<PullWorld, 'onNews'> {
    const { hub, download, outside, memory } = this.#world
    return {
      ...this.#ownersWorld(),
      hub: { ...hub, fetch: outside.fromHub },
      download: { ...download, fetch: outside[way], reserveBytes: SPARE_DISK_BYTES },
      ceiling: memory,
    }
  }
}

/**
 * Deletes what a canceled download has left behind: partial files, and complete parts of a model that is not whole. The names of the files
 * tell where they came from, so this needs no network. A download that is running keeps its files, and a model that is served all of them.
 */
function discardPartials(source: ModelSource, { models, registry }: ModelFiles): void {
  const names = existsSync(models) ? readdirSync(models).flatMap((name) => /^.+\.gguf(?=$|\.)/i.exec(name) ?? []) : []
  const served = new Set(loadRegistry(registry).flatMap(({ path }) => allParts(path)))
  const left = [...new Set(names)].filter((name) => belongs(name, source) && !served.has(join(models, name)))
  for (const parts of Map.groupBy(left, groupName).values()) {
    const files = parts.map((name) => new PartialFile(join(models, name)))
    if (files.some(({ isLocked }) => isLocked)) continue
    for (const file of files) file.discardAll()
  }
}

function belongs(name: string, source: ModelSource): boolean {
  if (isStarter(source)) return name === basename(STARTER.path)
  switch (source.kind) {
    case 'url':
      return isSameModel(name, urlFileName(source.url))
    case 'hub':
      return isOf(source, name) && (source.path === undefined || isSameModel(name, hubFileName(source, source.path)))
    case 'listed':
      return isOf({ ...source.model.hub, ...(source.quant === undefined ? {} : { quant: source.quant }) }, name)
    case 'file':
    case 'found':
    case 'tiny':
    case 'starter':
      return false
    default:
      return source satisfies never
  }
}

function isSameModel(name: string, other: string): boolean {
  return groupName(name) === groupName(other)
}

function isOf(wanted: HubRepository & { quant?: string }, name: string): boolean {
  if (!name.startsWith(hubFileName(wanted, '').replace(/\.gguf$/, ''))) return false
  return wanted.quant === undefined || quantOf(groupName(name))?.endsWith(wanted.quant.toUpperCase()) === true
}
