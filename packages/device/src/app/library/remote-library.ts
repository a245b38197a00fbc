// Lets people in the console see and change this machine's models, as far as its owner allows.

import { cpus } from 'node:os'
import { relative } from 'node:path'
import type { Download, Library, ModelReply, ModelRequestFrame } from '@hearth/protocol'
import type { Clock } from '../../clock.ts'
import { describeError } from '../../errors.ts'
import type { BackendReport } from '../../gpu/backend.ts'
import { freeBytes } from '../../models/download/disk-room.ts'
import type { ModelStore } from '../../models/model-store.ts'
import type { ModelEntry } from '../../models/registry/registry.ts'
import type { Permission, Say } from '../../news.ts'
import { decideRemoteChanges, decideRemoteModels } from '../../remote-models/permission.ts'
import { RemoteModels } from '../../remote-models/remote-models.ts'
import { Withdrawals, type Offer } from '../../remote-models/withdrawals.ts'
import type { Settings } from '../../settings/settings.ts'
import type { Credential } from '../../state/credential.ts'
import type { StateFolder } from '../../state/folder.ts'
import { availableMemory } from '@hearth/command-line/machine/available-memory'
import { memoryForModels } from '../back-end/judge-fit.ts'
import { ownerRules } from '../owner-rules.ts'
import type { DownloadNews } from './download-news.ts'

export interface RemoteLibraryOptions {
  state: Pick<StateFolder, 'downloads' | 'models'>
  settings: Pick<Settings, 'remoteModels' | 'drainSeconds'>
  clock: Clock
  store: ModelStore
  /** All models of this machine. */
  offer: Offer
  downloads: Pick<DownloadNews, 'askedPulled' | 'askedEnded' | 'changed'>
  credential: () => Credential
  serving: () => Permission
  isIdle: (model: string) => boolean
  unblock: (model: string) => void
  say: Say
  onLibrary: (library: Library) => void
  /** The registry has changed. */
  onModels: () => void
}

/** How often to look how much room the disk has. */
const LOOK_MS = 10_000

export class RemoteLibrary {
  /** The models that take jobs: not those that are about to be removed. */
  readonly offer: Withdrawals
  readonly #options: RemoteLibraryOptions
  readonly #models: RemoteModels
  #memoryBytes = memoryForModels({ ram: availableMemory(), cores: cpus().length })
  #stopLooking = (): void => {}

  constructor(options: RemoteLibraryOptions) {
    this.#options = options
    const { offer, clock, settings } = options
    this.offer = new Withdrawals(offer, clock, settings.drainSeconds * 1000)
    this.#models = this.#createModels()
  }

  start(): void {
    this.#models.start()
    this.#stopLooking = this.#options.clock.every(LOOK_MS, () => this.refresh())
  }

  /** Tells the gateway what has changed, if anything has. */
  refresh(): void {
    this.#models.refresh()
  }

  answer(request: ModelRequestFrame): Promise<ModelReply> {
    return this.#models.answer(request)
  }

  /** The downloads that people asked for. */
  asked(): Download[] {
    return this.#models.downloads()
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

  async stop(): Promise<void> {
    this.#stopLooking()
    this.offer.stop()
    await this.#models.stop()
  }

  #createModels(): RemoteModels {
    const { state, settings, store, downloads, credential, serving, isIdle, ...rest } = this.#options
    return new RemoteModels({
      shelf: store,
      path: state.downloads,
      permission: () => decideRemoteModels({ ...ownerRules(settings, credential()), serving: serving() }),
      takesTemplates: () => decideRemoteChanges(ownerRules(settings, credential())).allowed,
      diskFreeBytes: () => freeBytes(state.models),
      memoryBytes: () => this.#memoryBytes,
      isDeletable: (entry) => isOwn(entry, state.models, store.list()),
      withdraw: (model, remove) => this.offer.withdraw({ model, remove }, isIdle(model)),
      unblock: rest.unblock,
      say: rest.say,
      onPull: (news, by) => downloads.askedPulled(news, by),
      onPullEnd: () => downloads.askedEnded(),
      onDownloads: () => downloads.changed(),
      onLibrary: rest.onLibrary,
      onModels: rest.onModels,
    })
  }
}

/** Files elsewhere belong to the owner, and a file that another model needs stays. */
function isOwn({ path }: ModelEntry, folder: string, entries: readonly ModelEntry[]): boolean {
  const isShared = entries.filter((entry) => entry.path === path).length > 1
  return !isShared && !relative(folder, path).startsWith('..')
}
