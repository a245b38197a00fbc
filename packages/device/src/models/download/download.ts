// Downloads one file over HTTP: resumes an earlier attempt, survives broken connections, verifies the checksum, and moves the file into
// place only when it is complete.

import type { FileHandle } from 'node:fs/promises'
import { existsSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { CommandError, describeError } from '@hearth/command-line/errors'
import { formatBytes } from '@hearth/command-line/format'
import { freeBytesOf } from '@hearth/command-line/machine/folders'
import { createRoomWatch, requireRoom, RESERVE_BYTES, type Disk } from './disk-room.ts'
import { BrokenDownload, hostOf, nameFailure, rejection, UnwantedFile } from './download-faults.ts'
import { readRange, type FileRange } from './file-range.ts'
import { PartialFile, sha256OfFile } from './partial-file.ts'
import { Unreachable } from './unreachable.ts'
import type { DownloadProgress } from '../../news.ts'
import { SpeedMeter } from './speed-meter.ts'
import { createStallGuard } from './stall-guard.ts'

export interface DownloadRequest {
  url: string
  target: string
  /** The expected checksum in hex, if known; a file that doesn't match is deleted. */
  sha256?: string
  /** A longer file is deleted. Without it, the disk is the limit. */
  maxBytes?: number
  headers?: Readonly<Record<string, string>>
  /** Throws if this can't be the start of such a file; the rest is not downloaded then. */
  checkStart?: (start: Uint8Array) => void
  /** Throws if the complete file, which is not in place yet, can't be used. It is deleted then. */
  check?: (path: string) => void
  /** Explains why the server rejects the request. */
  explain?: (response: Response) => CommandError
}

export interface DownloadWorld extends Disk {
  fetch: typeof fetch
  onProgress: (progress: DownloadProgress) => void
  onVerifying: () => void
  /** Delays before the retries after a broken connection. */
  retryMs: readonly number[]
  /** A connection that delivers nothing for this long is dropped and retried. */
  stallMs: number
  write: (file: FileHandle, chunk: Uint8Array, position: number) => Promise<unknown>
}

export const DOWNLOAD_WORLD: DownloadWorld = {
  fetch: globalThis.fetch,
  onProgress: () => {},
  onVerifying: () => {},
  retryMs: [1_000, 2_000, 4_000, 8_000, 16_000, 30_000],
  stallMs: 30_000,
  write: writeWhole,
  freeBytes: freeBytesOf,
  reserveBytes: RESERVE_BYTES,
}

/** Returns the hash of the file. */
export async function download(
  request: DownloadRequest,
  options: Partial<DownloadWorld>,
  signal: AbortSignal,
): Promise<{ sha256: string }> {
  const world = { ...DOWNLOAD_WORLD, ...options }
  const partial = new PartialFile(request.target)
  using _lock = partial.lock()
  if (existsSync(request.target)) {
    world.onVerifying()
    const sha256 = await sha256OfFile(request.target, signal)
    // A file with another checksum is an older version, or damaged. It stays in place until the new one is complete.
    if (request.sha256 === undefined || sha256 === request.sha256) return { sha256 }
  }
  await fetchUntilWhole(request, partial, world, signal)
  world.onVerifying()
  const sha256 = await sha256OfFile(partial.path, signal)
  if (request.sha256 !== undefined && sha256 !== request.sha256) {
    partial.discard()
    throw new CommandError(
      `Wrong checksum for the file from ${hostOf(request.url)}: got ${sha256.slice(0, 12)}…, expected ${request.sha256.slice(0, 12)}…`,
      'try again; if this keeps happening, the source has changed',
    )
  }
  checkWhole(request, partial)
  partial.keep()
  return { sha256 }
}

function checkWhole({ check }: DownloadRequest, partial: PartialFile): void {
  try {
    check?.(partial.path)
  } catch (error) {
    partial.discard()
    throw error
  }
}

async function fetchUntilWhole(
  request: DownloadRequest,
  partial: PartialFile,
  world: DownloadWorld,
  signal: AbortSignal,
): Promise<void> {
  let mostBytes = partial.bytes
  for (let failures = 0; ;) {
    try {
      if (await fetchRest(request, partial, world, signal)) return
      // The server sends the file in pieces, and there are more.
      if (partial.bytes <= mostBytes) throw new BrokenDownload('the server sent the same piece again')
      mostBytes = partial.bytes
      failures = 0
      continue
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof BrokenDownload)) throw error
      failures = partial.bytes > mostBytes ? 1 : failures + 1
      mostBytes = Math.max(mostBytes, partial.bytes)
      if (failures > world.retryMs.length)
        throw new Unreachable(
          `Can't download from ${hostOf(request.url)}: ${error.message}`,
          'check your network (behind a proxy, set HTTPS_PROXY) and run the command again to continue where it stopped',
        )
      await sleep(world.retryMs[failures - 1], undefined, { signal })
    }
  }
}

/** Returns true when the file is whole, false after one of several pieces. */
async function fetchRest(
  request: DownloadRequest,
  partial: PartialFile,
  world: DownloadWorld,
  signal: AbortSignal,
): Promise<boolean> {
  const stall = createStallGuard(world.stallMs, signal)
  try {
    const response = await ask(request, partial, world, stall.signal)
    const range = readRange(response)
    if (range === undefined || range.startBytes > partial.bytes)
      throw new BrokenDownload('the server sent a different part of the file')
    const { startBytes, endBytes, totalBytes } = range
    if (totalBytes !== undefined) requireRoom(totalBytes - startBytes, dirname(request.target), world)
    requireLength(totalBytes, request)
    partial.remember({ url: request.url, ...validatorOf(response), ...digestOf(request) })
    await using file = await partial.openAt(startBytes)
    const doneBytes = await pour(response, file, range, request, world, stall.touch)
    await file.sync()
    if (isPiece(range) && doneBytes === endBytes) return false
    if (totalBytes !== undefined && doneBytes < totalBytes) throw new BrokenDownload('the connection was lost')
    return true
  } catch (error) {
    if (error instanceof UnwantedFile) partial.discard()
    throw nameFailure(error, request)
  } finally {
    stall.end()
  }
}

async function ask(
  request: DownloadRequest,
  partial: PartialFile,
  { fetch }: DownloadWorld,
  signal: AbortSignal,
): Promise<Response> {
  const origin = partial.bytes > 0 ? partial.origin(request) : undefined
  // Without a validator to detect a changed file, it is safe to resume only if the checksum is known.
  const mayGoOn = origin !== undefined && (origin.validator !== undefined || request.sha256 !== undefined)
  const range: Record<string, string> = mayGoOn ? { range: `bytes=${partial.bytes}-` } : {}
  if (mayGoOn && origin.validator !== undefined) range['if-range'] = origin.validator
  const response = await fetch(request.url, { headers: { ...request.headers, ...range }, signal })
  if (response.status === 416) {
    // The partial file is longer than the file, or the file has changed: start over.
    partial.discard()
    throw new BrokenDownload('the file has changed')
  }
  if (!response.ok) throw rejection(response, request)
  return response
}

async function pour(
  response: Response,
  file: FileHandle,
  { startBytes, totalBytes }: FileRange,
  request: DownloadRequest,
  world: DownloadWorld,
  touch: () => void,
): Promise<number> {
  const meter = new SpeedMeter(() => performance.now())
  const watchRoom = createRoomWatch(dirname(request.target), world)
  let doneBytes = startBytes
  for await (const chunk of response.body ?? []) {
    touch()
    if (doneBytes === 0) checkStart(chunk, request)
    requireLength(doneBytes + chunk.length, request)
    watchRoom(chunk.length)
    await world.write(file, chunk, doneBytes)
    doneBytes += chunk.length
    world.onProgress(meter.measure(doneBytes, chunk.length, totalBytes))
  }
  return doneBytes
}

function checkStart(chunk: Uint8Array, request: DownloadRequest): void {
  try {
    request.checkStart?.(chunk)
  } catch (error) {
    throw new UnwantedFile(describeError(error), error instanceof CommandError ? error.advice : undefined)
  }
}

function requireLength(bytes: number | undefined, { target, maxBytes }: DownloadRequest): void {
  if (bytes === undefined || maxBytes === undefined || bytes <= maxBytes) return
  throw new UnwantedFile(
    `${basename(target)} is larger than expected: at most ${formatBytes(maxBytes)}`,
    'choose another source, or a smaller model',
  )
}

async function writeWhole(file: FileHandle, chunk: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < chunk.length;)
    done += (await file.write(chunk, done, chunk.length - done, position + done)).bytesWritten
}

/** The server chose to send less than the rest of the file. */
function isPiece({ startBytes, endBytes, totalBytes }: FileRange): boolean {
  return endBytes !== undefined && totalBytes !== undefined && endBytes > startBytes && endBytes < totalBytes
}

function digestOf({ sha256 }: DownloadRequest): { sha256?: string } {
  return sha256 === undefined ? {} : { sha256 }
}

/** Weak validators don't guarantee the same bytes. */
function validatorOf(response: Response): { validator?: string } {
  const etag = response.headers.get('etag')
  const validator = etag !== null && !etag.startsWith('W/') ? etag : response.headers.get('last-modified')
  return validator === null ? {} : { validator }
}
