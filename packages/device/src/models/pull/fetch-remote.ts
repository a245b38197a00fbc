// Downloads all files of a model, and reports their progress as one download.

import { existsSync, mkdirSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { formatBytes } from '../../format.ts'
import type { DownloadProgress, PullNews } from '../../news.ts'
import { download, type DownloadWorld } from '../download/download.ts'
import { PartialFile, requireRoom } from '../download/partial-file.ts'
import type { RemoteFile, RemoteModel } from '../hub/resolve.ts'
import type { Piece } from '../registry/pieces.ts'

export interface Fetched {
  /** Of the first file. */
  path: string
  pieces: readonly Piece[]
  quant?: string
}

export interface FetchWorld {
  onNews: (news: PullNews) => void
  /** Overrides for tests, such as timeouts. */
  download?: Partial<DownloadWorld>
}

export async function fetchRemote(
  label: string,
  { files, quant }: RemoteModel,
  world: FetchWorld,
  signal: AbortSignal,
): Promise<Fetched> {
  const isKnown = files.every(({ bytes }) => bytes !== undefined)
  const totalBytes = isKnown ? sum(files.map(({ bytes }) => bytes!)) : undefined
  if (isKnown) checkRoom(files)
  if (files.some(({ target }) => !existsSync(target))) announce(label, files, totalBytes, world)
  const pieces: Piece[] = []
  for (const file of files) {
    const doneBytes = sum(pieces.map(({ bytes }) => bytes))
    const onProgress = (progress: DownloadProgress): void =>
      world.onNews({ type: 'progress', label, progress: overall(progress, doneBytes, totalBytes, files.length) })
    pieces.push(await fetchFile(label, file, onProgress, world, signal))
  }
  return { path: files[0]!.target, pieces, ...(quant === undefined ? {} : { quant }) }
}

/** Throws StorageError before the first byte if the whole model has no room. */
function checkRoom(files: readonly RemoteFile[]): void {
  const folder = dirname(files[0]!.target)
  mkdirSync(folder, { recursive: true })
  const left = files.map(({ target, bytes = 0 }) =>
    existsSync(target) ? 0 : Math.max(0, bytes - new PartialFile(target).bytes),
  )
  if (sum(left) > 0) requireRoom(sum(left), folder)
}

function announce(
  label: string,
  files: readonly RemoteFile[],
  totalBytes: number | undefined,
  { onNews }: FetchWorld,
): void {
  const facts = [
    ...(totalBytes === undefined ? [] : [formatBytes(totalBytes)]),
    ...(files.length === 1 ? [] : [`${files.length} files`]),
  ]
  const size = facts.length === 0 ? '' : ` (${facts.join(', ')})`
  onNews({ type: 'step', text: `Downloading ${label}${size} from ${new URL(files[0]!.url).host}…` })
}

async function fetchFile(
  label: string,
  { url, target, sha256: expected, headers, explain }: RemoteFile,
  onProgress: (progress: DownloadProgress) => void,
  world: FetchWorld,
  signal: AbortSignal,
): Promise<Piece> {
  const onVerifying = (): void => world.onNews({ type: 'step', text: `Verifying ${label}…` })
  const request = {
    url,
    target,
    ...(expected === undefined ? {} : { sha256: expected }),
    ...(headers === undefined ? {} : { headers }),
    ...(explain === undefined ? {} : { explain }),
  }
  const { sha256 } = await download(request, { ...world.download, onProgress, onVerifying }, signal)
  return { bytes: statSync(target).size, sha256 }
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
