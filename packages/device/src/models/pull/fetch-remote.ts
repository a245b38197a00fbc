// Downloads all files of a model, and reports their progress as one download.

import { present } from '@hearth/command-line/present'
import { existsSync, mkdirSync, statSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { CommandError } from '@hearth/command-line/errors'
import { formatBytes } from '@hearth/command-line/format'
import type { DownloadProgress, PullNews } from '../../news.ts'
import { download, DOWNLOAD_WORLD, type DownloadWorld } from '../download/download.ts'
import { requireRoom } from '../download/disk-room.ts'
import { PartialFile } from '../download/partial-file.ts'
import { checkGgufStart, readGgufHeader, readGgufParts } from '../gguf/gguf-header.ts'
import { requireChat } from './require-chat.ts'
import type { RemoteFile, RemoteModel } from '../hub/resolve.ts'
import type { ModelFile } from '../registry/registry.ts'

export interface Fetched {
  /** Of the first file. */
  path: string
  pieces: readonly ModelFile[]
  quant?: string
}

export interface FetchRemoteWorld {
  onNews: (news: PullNews) => void
  /** Overrides, such as timeouts for tests. */
  download?: Partial<DownloadWorld>
  /** The most bytes of a model whose size its source doesn't announce. Without it, the disk is the limit. */
  ceiling?: () => Promise<number>
}

export async function fetchRemote(
  label: string,
  { files, quant }: RemoteModel,
  world: FetchRemoteWorld,
  signal: AbortSignal,
): Promise<Fetched> {
  const [first] = files
  if (first === undefined) throw new CommandError(`Can't download ${label}: it has no files`)
  const known = files.flatMap(({ bytes }) => bytes ?? [])
  const totalBytes = known.length === files.length ? sum(known) : undefined
  if (totalBytes !== undefined) checkRoom(files, dirname(first.target), world)
  const ceiling = totalBytes ?? (await world.ceiling?.())
  if (files.some(({ target }) => !existsSync(target))) {
    const host = new URL(first.url).host
    const size = describeSize(files.length, totalBytes)
    world.onNews({ type: 'step', text: `Downloading ${label}${size} from ${host}…` })
  }
  const pieces: ModelFile[] = []
  for (const file of files) {
    const doneBytes = sum(pieces.map(({ bytes }) => bytes))
    const onProgress = (progress: DownloadProgress): void =>
      world.onNews({ type: 'progress', label, progress: overall(progress, doneBytes, totalBytes, files.length) })
    const maxBytes = file.bytes ?? (ceiling === undefined ? undefined : Math.max(0, ceiling - doneBytes))
    const isFirst = file === first
    pieces.push(await fetchFile({ label, file, isFirst, maxBytes, onProgress }, world, signal))
  }
  return present({ path: first.target, pieces, quant })
}

/** Throws StorageError before the first byte if the whole model has no room. */
function checkRoom(files: readonly RemoteFile[], folder: string, world: FetchRemoteWorld): void {
  mkdirSync(folder, { recursive: true })
  const left = files.map(({ target, bytes = 0 }) =>
    existsSync(target) ? 0 : Math.max(0, bytes - new PartialFile(target).bytes),
  )
  if (sum(left) > 0) requireRoom(sum(left), folder, { ...DOWNLOAD_WORLD, ...world.download })
}

function describeSize(files: number, totalBytes: number | undefined): string {
  const facts = [
    ...(totalBytes === undefined ? [] : [formatBytes(totalBytes)]),
    ...(files === 1 ? [] : [`${files} files`]),
  ]
  return facts.length === 0 ? '' : ` (${facts.join(', ')})`
}

interface FileOrder {
  label: string
  file: RemoteFile
  /** Only the first file of a split model says what the model is. */
  isFirst: boolean
  maxBytes: number | undefined
  onProgress: (progress: DownloadProgress) => void
}

async function fetchFile(
  { label, file, isFirst, maxBytes, onProgress }: FileOrder,
  world: FetchRemoteWorld,
  signal: AbortSignal,
): Promise<ModelFile> {
  const { target } = file
  const onVerifying = (): void => world.onNews({ type: 'step', text: `Verifying ${label}…` })
  const request = present({
    ...file,
    checkStart: (start: Uint8Array) => checkGgufStart(start, basename(target)),
    check: (path: string) => checkModel(path, basename(target), isFirst),
    maxBytes,
  })
  const { sha256 } = await download(request, { ...world.download, onProgress, onVerifying }, signal)
  return { bytes: statSync(target).size, sha256 }
}

/** Throws CommandError if the engine couldn't use the file. */
function checkModel(path: string, name: string, isFirst: boolean): void {
  if (isFirst) requireChat(readGgufHeader(path, name), name)
  else readGgufParts(path, name)
}

function overall(
  progress: DownloadProgress,
  before: number,
  totalBytes: number | undefined,
  files: number,
): DownloadProgress {
  if (files === 1) return progress
  const doneBytes = before + progress.doneBytes
  const { bytesPerSecond } = progress
  if (totalBytes === undefined) return { doneBytes, bytesPerSecond }
  const secondsLeft = bytesPerSecond === 0 ? {} : { secondsLeft: (totalBytes - doneBytes) / bytesPerSecond }
  return { doneBytes, bytesPerSecond, totalBytes, ...secondsLeft }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0)
}
