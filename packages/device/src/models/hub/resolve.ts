// Finds the files of a model that has to be downloaded: of a repository on Hugging Face, or at a URL. Pure choices are in choose-group.ts.

import { present } from '@hearth/command-line/present'
import { join } from 'node:path'
import type { HubReference, HubRepository, ListedReference, ModelSize } from '@hearth/model-list'
import { CommandError } from '@hearth/command-line/errors'
import { chooseGroup, findPath, findQuant, type SizeFit } from './choose-group.ts'
import { allParts, quantOf, type FileGroup } from './file-groups.ts'
import { authorization, fileAddress, findGroups, type HubWorld } from './hub.ts'
import { explainHubRejection } from './hub-rejection.ts'
import { lastSegment } from './last-segment.ts'

export interface RemoteFile {
  url: string
  target: string
  bytes?: number
  sha256?: string
  headers?: Readonly<Record<string, string>>
  /** Explains why the server rejects this file. */
  explain?: (response: Response) => CommandError
}

export interface RemoteModel {
  quant?: string
  /** In order. */
  files: readonly RemoteFile[]
}

export type JudgeModel = (size: ModelSize) => SizeFit

export interface ResolveWorld {
  /** Where downloaded models are kept. */
  folder: string
  hub: HubWorld
  /** Whether a model fits this machine. Asked only if there is a choice to make. */
  judge: () => Promise<JudgeModel>
}

/** A repository, and everything that helps to choose from it. */
export interface HubChoice {
  address: HubRepository
  groups: readonly FileGroup[]
  known: Omit<ModelSize, 'bytes'>
}

export async function openChoice(
  source: HubReference | ListedReference,
  world: ResolveWorld,
  signal: AbortSignal,
): Promise<HubChoice> {
  const address = source.kind === 'listed' ? source.model.hub : source
  const groups = await findGroups(address, world.hub, signal)
  if (source.kind === 'hub') return { address, groups, known: {} }
  const { contextBytesPerToken, contextLength } = source.model
  return { address, groups, known: { contextBytesPerToken, contextLength } }
}

/** Throws CommandError if the repository doesn't have what was asked for, or nothing that fits this machine. */
export async function chooseFrom(
  choice: HubChoice,
  source: HubReference | ListedReference,
  model: string,
  world: ResolveWorld,
): Promise<FileGroup> {
  const { groups, known } = choice
  const path = source.kind === 'hub' ? source.path : undefined
  if (path !== undefined) return findPath(groups, path) ?? missing(path, choice)
  if (source.quant !== undefined) return findQuant(groups, source.quant) ?? missing(source.quant, choice)
  const judge = await world.judge()
  return chooseGroup(groups, ({ bytes }) => judge({ bytes, ...known }), model)
}

export function toRemote({ address }: HubChoice, group: FileGroup, world: ResolveWorld): RemoteModel {
  const files = group.files.map(({ path, bytes, sha256 }) => ({
    url: fileAddress(address, path, world.hub.hub),
    target: join(world.folder, hubFileName(address, path)),
    bytes,
    headers: authorization(world.hub.token),
    explain: (response: Response) => explainHubRejection(response, address, world.hub),
    ...present({ sha256 }),
  }))
  return present({ files, quant: group.quant })
}

/** The address of any part stands for all of them. */
export function remoteAt(url: URL, folder: string): RemoteModel {
  const files = allParts(url.pathname).map((pathname) => {
    const part = new URL(url)
    part.pathname = pathname
    return { url: part.href, target: join(folder, urlFileName(part)) }
  })
  return present({ files, quant: quantOf(lastSegment(url)) })
}

/** Under which name a file of a repository is kept. */
export function hubFileName({ owner, repository }: HubRepository, path: string): string {
  return safeName(`${owner}--${repository}--${path.replaceAll('/', '--')}`)
}

export function urlFileName(url: URL): string {
  return safeName(lastSegment(url))
}

function missing(wanted: string, { address: { owner, repository }, groups }: HubChoice): never {
  const has = groups.map(({ quant, name }) => quant ?? name).join(', ')
  throw new CommandError(`Can't find ${wanted} in hf:${owner}/${repository}`, `it has ${has}`)
}

/** Disks allow names of 255 bytes, and a download in progress adds to them. */
const MAX_NAME_LENGTH = 230

function safeName(name: string): string {
  const plain = name.replace(/\.gguf$/i, '').replace(/[^\w.-]+/g, '-')
  // The end has the number of the part.
  return `${plain.slice(-MAX_NAME_LENGTH) || 'model'}.gguf`
}
