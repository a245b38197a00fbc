// The models on this machine's disk: the list of those it serves, downloads, what people in the console may do with them, and what other
// devices may copy.

import type { ModelReply, ModelRequestFrame, PieceWanted } from '@hearth/protocol'
import type { Clock } from '../../clock.ts'
import type { BackendReport } from '../../gpu/backend.ts'
import type { Ladder } from '../../gpu/ladder.ts'
import type { StandingFrame } from '../../link/last-frames.ts'
import type { DownloadWorld } from '../../models/download/download.ts'
import type { ModelStore } from '../../models/model-store.ts'
import type { ModelEntry } from '../../models/registry/registry.ts'
import { sharedModels } from '../../models/sharing/share.ts'
import type { Permission, PullNews, Say } from '../../news.ts'
import type { Offer } from '../../remote-models/withdrawals.ts'
import type { Settings } from '../../settings/settings.ts'
import type { StateFolder } from '../../state/folder.ts'
import type { RunCommand } from '../../system/run-command.ts'
import type { LoginFile } from '../login-file.ts'
import { DownloadNews } from './download-news.ts'
import { ModelList } from './model-list.ts'
import { openModelStore } from './open-model-store.ts'
import { pullStarter } from './pull-starter.ts'
import { RemoteLibrary } from './remote-library.ts'
import { sendPiece } from './send-piece.ts'

export interface LibraryWorld {
  clock: Clock
  run: RunCommand
  downloads: Partial<DownloadWorld>
  environment: Readonly<Record<string, string | undefined>>
}

export interface LibraryOptions {
  state: StateFolder
  settings: Settings
  world: LibraryWorld
  login: Pick<LoginFile, 'credential' | 'identity'>
  /** Knows where models compute, and so how much memory they have. */
  ladder: () => Promise<Ladder>
  /** All models that can take jobs. */
  offer: Offer
  permission: () => Permission
  isIdle: (model: string) => boolean
  unblock: (model: string) => void
  tell: (frame: StandingFrame) => void
  say: Say
  onPull: (news: PullNews) => void
  /** The list of models has changed. */
  onChange: () => void
  signal: AbortSignal
}

export class ModelLibrary {
  /** Also hears of the app's own downloads. */
  readonly downloads: DownloadNews
  readonly #options: LibraryOptions
  readonly #list: ModelList
  readonly #store: ModelStore
  readonly #remote: RemoteLibrary

  /** Throws DeviceError if the list of models can't be read. */
  constructor(options: LibraryOptions) {
    this.#options = options
    const { state, settings, world, ladder, tell, signal } = options
    this.#list = new ModelList({
      path: state.registry,
      onChange: () => this.#changed(),
      onProblem: (text) => options.say(text),
    })
    this.downloads = new DownloadNews({
      clock: world.clock,
      asked: () => this.#remote.asked(),
      tell: (downloads) => tell({ type: 'downloads', downloads }),
      onNews: options.onPull,
    })
    this.#store = openModelStore({ ...world, state, settings, ladder, signal })
    this.#remote = this.#openRemote()
  }

  get entries(): readonly ModelEntry[] {
    return this.#list.entries
  }

  /** The models that take jobs: not those that are about to be removed. */
  get offer(): Offer {
    return this.#remote.offer
  }

  start(): void {
    this.#remote.start()
    this.#changed()
  }

  /** Call this often: commands change the list of models. */
  look(): void {
    this.#list.look()
  }

  /** Tells the gateway what has changed, if anything has. */
  refresh(): void {
    this.#remote.refresh()
  }

  jobsChanged(): void {
    this.#remote.jobsChanged()
  }

  computesOn(report: BackendReport): Promise<void> {
    return this.#remote.computesOn(report)
  }

  /** Answers a person in the console. */
  answer(request: ModelRequestFrame): Promise<ModelReply> {
    return this.#remote.answer(request)
  }

  async send(piece: PieceWanted): Promise<void> {
    const { state, world, login, signal } = this.#options
    const from = { login: login.identity(), entries: this.entries, folder: state.models }
    await sendPiece(piece, { ...from, fetch: world.downloads.fetch ?? fetch }, signal)
  }

  /** For a machine that has nothing to serve, if its owner wants it. */
  async pullStarter(): Promise<void> {
    const { settings, say, signal } = this.#options
    if (!settings.starter || this.entries.length > 0 || settings.upstream.length > 0) return
    await pullStarter(this.#store, this.downloads, say, signal)
  }

  async stop(): Promise<void> {
    this.downloads.stop()
    await this.#remote.stop()
  }

  #changed(): void {
    const { state, tell, onChange } = this.#options
    tell({ type: 'shared', models: sharedModels(this.entries, state.models) })
    onChange()
    this.refresh()
  }

  #openRemote(): RemoteLibrary {
    const { state, settings, world, login, offer, permission, isIdle, unblock, tell, say } = this.#options
    return new RemoteLibrary({
      state,
      settings,
      clock: world.clock,
      store: this.#store,
      offer,
      downloads: this.downloads,
      credential: () => login.credential,
      serving: permission,
      isIdle,
      unblock,
      say,
      onLibrary: (library) => tell({ type: 'library', library }),
      onModels: () => this.#list.read(),
    })
  }
}
