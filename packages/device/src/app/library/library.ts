// The models on this machine's disk: the list of those it serves, downloads, what people in the console may do with them, and what other
// devices may copy.

import { cpus } from 'node:os'
import { relative, basename } from 'node:path'
import {
  type ModelReply,
  type ModelRequestFrame,
  type PieceWanted,
  MAX_PIECE_BYTES,
  plainSource,
  type SharedModel,
} from '@hearth/protocol'
import type { Clock } from '../../clock.ts'
import { CommandError, describeError } from '@hearth/command-line/errors'
import type { BackendReport } from '../../gpu/backend.ts'
import type { Ladder } from '../../gpu/ladder.ts'
import type { StandingFrame } from '../../link/last-frames.ts'
import { freeBytesOf } from '@hearth/command-line/machine/folders'
import type { DownloadWorld } from '../../models/download/download.ts'
import type { ModelStore } from '../../models/model-store.ts'
import { loadRegistry, type ModelEntry } from '../../models/registry/registry.ts'
import type { Permission, PullNews, Say } from '../../news.ts'
import { decideRemoteChanges, decideRemoteModels } from '../../remote-models/permission.ts'
import { RemoteModels } from '../../remote-models/remote-models.ts'
import { Withdrawals, type Offer } from '../../remote-models/withdrawals.ts'
import type { Settings } from '../../settings/settings.ts'
import type { StateFolder } from '../../state/folder.ts'
import { availableMemory } from '@hearth/command-line/machine/available-memory'
import type { RunCommand } from '../../system/run-command.ts'
import { memoryForModels } from '../back-end/judge-fit.ts'
import { type LoginFile, ownerRules } from '../login-file.ts'
import { createFileWatch } from '../watch-file.ts'
import { DownloadNews } from './download-news.ts'
import { openModelStore } from './open-model-store.ts'
import { under } from '@hearth/command-line/gateway/gateway-address'
import { open } from 'node:fs/promises'
import { allParts } from '../../models/hub/file-groups.ts'

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

/** How often to look how much room the disk has. */
const LOOK_MS = 10_000

export class ModelLibrary {
  /** Also hears of the app's own downloads. */
  readonly downloads: DownloadNews
  /** The models that take jobs: not those that are about to be removed. */
  readonly offer: Withdrawals
  readonly #options: LibraryOptions
  readonly #store: ModelStore
  readonly #remote: RemoteModels
  /** Commands change the file while the app runs. */
  readonly #hasChanged: () => boolean
  #entries: readonly ModelEntry[]
  #memoryBytes = memoryForModels({ ram: availableMemory(), cores: cpus().length })
  #stopLooking = (): void => {}

  /** Throws CommandError if the list of models can't be read. */
  constructor(options: LibraryOptions) {
    this.#options = options
    const { state, settings, world, ladder, offer, tell, signal } = options
    this.#entries = loadRegistry(state.registry)
    this.#hasChanged = createFileWatch(state.registry)
    this.#hasChanged()
    this.downloads = new DownloadNews({
      clock: world.clock,
      asked: () => this.#remote.downloads(),
      tell: (downloads) => tell({ type: 'downloads', downloads }),
      onNews: options.onPull,
    })
    this.#store = openModelStore({ ...world, state, settings, ladder, signal })
    this.offer = new Withdrawals(offer, world.clock, settings.drainSeconds * 1000)
    this.#remote = this.#openRemote()
  }

  get entries(): readonly ModelEntry[] {
    return this.#entries
  }

  start(): void {
    this.#remote.start()
    this.#stopLooking = this.#options.world.clock.every(LOOK_MS, () => this.refresh())
    this.#changed()
  }

  /** Call this often: commands change the list of models. */
  look(): void {
    if (this.#hasChanged()) this.#read()
  }

  /** Tells the gateway what has changed, if anything has. */
  refresh(): void {
    this.#remote.refresh()
  }

  jobsChanged(): void {
    this.offer.jobsChanged(this.#options.isIdle)
  }

  /** A card has memory of its own, which takes another process to measure. */
  async computesOn({ rung }: BackendReport): Promise<void> {
    if (rung === 'cpu') return
    try {
      this.#memoryBytes = await this.#store.memory()
      this.refresh()
    } catch (error) {
      // Fails only at the end of the app, or if the ladder lost this rung and finds no other. The memory of the machine counts until then.
      this.#options.say(`Can't measure the memory of the GPU: ${describeError(error)}`, 'info')
    }
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

  /** For a machine that has nothing to serve, if its owner wants it. Never rejects: the owner can still pull a model. */
  async pullStarter(): Promise<void> {
    const { settings, say, signal } = this.#options
    if (!settings.starter || this.entries.length > 0 || settings.upstream.length > 0) return
    try {
      await this.#store.pull('starter', { onNews: (news) => this.downloads.pulled(news), signal })
    } catch (error) {
      if (signal.aborted) return
      const advice = error instanceof CommandError && error.advice !== undefined ? ` → ${error.advice}` : ''
      say(`${describeError(error)}${advice}`)
    } finally {
      this.downloads.pullEnded()
    }
  }

  async stop(): Promise<void> {
    this.downloads.stop()
    this.#stopLooking()
    this.offer.stop()
    await this.#remote.stop()
  }

  /** If the file can't be read, the list stays as it was. */
  #read(): void {
    const { state, say } = this.#options
    try {
      this.#entries = loadRegistry(state.registry)
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

  /** Lets people in the console see and change the models, as far as the owner allows. */
  #openRemote(): RemoteModels {
    const { state, settings, login, permission, isIdle, unblock, tell, say } = this.#options
    const rules = () => ownerRules(settings, login.credential)
    return new RemoteModels({
      store: this.#store,
      path: state.downloads,
      permission: () => decideRemoteModels({ ...rules(), serving: permission() }),
      takesTemplates: () => decideRemoteChanges(rules()).allowed,
      diskFreeBytes: () => freeBytesOf(state.models),
      memoryBytes: () => this.#memoryBytes,
      isDeletable: (entry) => isOwn(entry, state.models, this.#store.list()),
      withdraw: (model, remove) => this.offer.withdraw({ model, remove }, isIdle(model)),
      unblock,
      say,
      onPull: (news, by) => this.downloads.askedPulled(news, by),
      onPullEnd: () => this.downloads.askedEnded(),
      onDownloads: () => this.downloads.changed(),
      onLibrary: (library) => tell({ type: 'library', library }),
      onModels: () => this.#read(),
    })
  }
}

/** Files elsewhere belong to the owner, and a file that another model needs stays. */
function isOwn({ path }: ModelEntry, folder: string, entries: readonly ModelEntry[]): boolean {
  const isShared = entries.filter((entry) => entry.path === path).length > 1
  return !isShared && !relative(folder, path).startsWith('..')
}

// Sends a piece of a model to the gateway, for another device of the organization.
interface PieceSender {
  login: { gateway: URL; credential: string }
  entries: readonly ModelEntry[]
  folder: string
  fetch: typeof fetch
}

const SEND_MS = 60_000

/** A piece that doesn't arrive is asked for again, so nothing is retried or reported here. */
export async function sendPiece(
  piece: PieceWanted,
  { login, entries, folder, fetch }: PieceSender,
  signal: AbortSignal,
): Promise<void> {
  const body = piece.bytes > MAX_PIECE_BYTES ? Buffer.alloc(0) : await readSharedPiece(piece, entries, folder)
  await fetch(under(login.gateway, `/device/v1/relay/pieces/${encodeURIComponent(piece.transfer)}`), {
    method: 'POST',
    headers: { authorization: `Bearer ${login.credential}`, 'content-type': 'application/octet-stream' },
    body: new Uint8Array(body),
    // A redirect must not carry the credential to another server.
    redirect: 'error',
    signal: AbortSignal.any([signal, AbortSignal.timeout(SEND_MS)]),
  }).then(
    (response) => response.body?.cancel(),
    () => undefined,
  )
}

// Gives models that this device downloaded to other devices of its organization. The owner's own files stay on the machine.
interface SharedPath {
  path: string
  bytes: number
  sha256: string
}

export function sharedModels(entries: readonly ModelEntry[], folder: string): SharedModel[] {
  return entries.flatMap((entry) => {
    const files = sharedPaths(entry, folder)
    if (files.length === 0) return []
    const { name, source, quant } = entry
    const shared = files.map(({ path, bytes, sha256 }) => ({ name: basename(path), bytes, sha256 }))
    return [{ name, source: plainSource(source), ...(quant === undefined ? {} : { quant }), files: shared }]
  })
}

/** Empty if this device doesn't share such bytes. */
export async function readSharedPiece(
  { sha256, offset, bytes }: PieceWanted,
  entries: readonly ModelEntry[],
  folder: string,
): Promise<Buffer> {
  const file = entries.flatMap((entry) => sharedPaths(entry, folder)).find((shared) => shared.sha256 === sha256)
  if (file === undefined) return Buffer.alloc(0)
  try {
    await using handle = await open(file.path, 'r')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(bytes), 0, bytes, offset)
    return buffer.subarray(0, bytesRead)
  } catch {
    // The file is gone. The other device asks somebody else.
    return Buffer.alloc(0)
  }
}

function sharedPaths({ path, bytes, sha256, pieces }: ModelEntry, folder: string): SharedPath[] {
  if (relative(folder, path).startsWith('..')) return []
  const known = pieces ?? (sha256 === undefined ? [] : [{ bytes, sha256 }])
  const paths = allParts(path)
  if (known.length !== paths.length) return []
  return paths.flatMap((place, index) => known.slice(index, index + 1).map((piece) => ({ path: place, ...piece })))
}
