// Lets people in the console see and change this machine's models, as far as its owner allows.

import { mkdirSync, statfsSync } from 'node:fs'
import { cpus } from 'node:os'
import { relative } from 'node:path'
import type { ModelReply, ModelRequestFrame } from '@hearth/protocol'
import type { Clock } from '../clock.ts'
import type { Device } from '../device.ts'
import type { ChangingEngine } from '../engines/engine.ts'
import type { BackendReport } from '../gpu/backend.ts'
import type { ModelStore } from '../models/model-store.ts'
import type { ModelEntry } from '../models/registry/registry.ts'
import type { Permission, PullNews, Say } from '../news.ts'
import { decideRemoteModels } from '../remote-models/permission.ts'
import { RemoteModels } from '../remote-models/remote-models.ts'
import { Withdrawals } from '../remote-models/withdrawals.ts'
import type { Settings } from '../settings/settings.ts'
import type { Credential } from '../state/credential.ts'
import type { StateFolder } from '../state/folder.ts'
import { availableMemory } from '../system/available-memory.ts'
import { DownloadNews } from './download-news.ts'
import { memoryForModels } from './judge-fit.ts'

export interface RemotePartOptions {
  state: StateFolder
  settings: Pick<Settings, 'remoteModels' | 'drainSeconds'>
  clock: Clock
  store: ModelStore
  engine: ChangingEngine
  /** Known after this part is created, because the device needs its engine. */
  device: () => Device
  credential: () => Credential
  serving: () => Permission
  say: Say
  /** News of a download, and who asked for it. */
  onPull: (news: PullNews, by: string) => void
  onPullEnd: () => void
  /** The registry has changed. */
  onModels: () => void
}

/** How often to look how much room the disk has. */
const LOOK_MS = 10_000

export class RemotePart {
  /** The engine of the device, without models that are about to be removed. */
  readonly engine: Withdrawals
  readonly #options: RemotePartOptions
  readonly #models: RemoteModels
  readonly #downloads: DownloadNews
  #memoryBytes = memoryForModels({ ram: availableMemory(), cores: cpus().length })
  #stopLooking = (): void => {}

  constructor(options: RemotePartOptions) {
    this.#options = options
    const { engine, clock, settings, device } = options
    this.engine = new Withdrawals(engine, clock, settings.drainSeconds * 1000)
    this.#models = this.#createModels(options)
    this.#downloads = new DownloadNews(
      clock,
      () => this.#models.downloads(),
      (downloads) => device().tellDownloads(downloads),
    )
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

  jobsChanged(): void {
    this.engine.jobsChanged((model) => this.#isIdle(model))
  }

  /** News of a download that the app itself started. */
  pulled(news: PullNews): void {
    this.#downloads.pulled(news)
  }

  pullEnded(): void {
    this.#downloads.ended()
  }

  /** A card has memory of its own, which takes another process to measure. */
  computesOn({ rung }: BackendReport): void {
    if (rung !== 'cpu') void this.#measure().catch(() => {})
  }

  async stop(): Promise<void> {
    this.#stopLooking()
    this.#downloads.stop()
    this.engine.stop()
    await this.#models.stop()
  }

  #createModels({ state, settings, store, device, credential, serving, ...rest }: RemotePartOptions): RemoteModels {
    return new RemoteModels({
      shelf: store,
      path: state.downloads,
      permission: () => {
        const hasToken = credential().joinedBy === 'token'
        return decideRemoteModels({ setting: settings.remoteModels, hasToken, serving: serving() })
      },
      diskFreeBytes: () => freeBytes(state.models),
      memoryBytes: () => this.#memoryBytes,
      isDeletable: (entry) => isOwn(entry, state.models, store.list()),
      withdraw: (model, remove) => this.engine.withdraw({ model, remove }, this.#isIdle(model)),
      say: rest.say,
      onPull: rest.onPull,
      onPullEnd: rest.onPullEnd,
      onDownloads: () => this.#downloads.changed(),
      onLibrary: (library) => device().tellLibrary(library),
      onModels: rest.onModels,
    })
  }

  #isIdle(model: string): boolean {
    return this.#options.device().runningOn(model) === 0
  }

  async #measure(): Promise<void> {
    this.#memoryBytes = await this.#options.store.memory()
    this.refresh()
  }
}

function freeBytes(folder: string): number {
  mkdirSync(folder, { recursive: true })
  const { bavail, bsize } = statfsSync(folder)
  return bavail * bsize
}

/** Files elsewhere belong to the owner, and a file that another model needs stays. */
function isOwn({ path }: ModelEntry, folder: string, entries: readonly ModelEntry[]): boolean {
  const isShared = entries.filter((entry) => entry.path === path).length > 1
  return !isShared && !relative(folder, path).startsWith('..')
}
