// Extracts one file from a ZIP archive without unpacking the rest. Supports only the part of the format that Python wheels use.

import { createWriteStream } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { PassThrough, Transform } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { crc32, createInflateRaw } from 'node:zlib'
import { CommandError } from '@hearth/command-line/errors'

export interface ZipEntry {
  name: string
  method: number
  crc: number
  packedBytes: number
  bytes: number
  /** Position of the entry's local header. */
  offset: number
}

const END_MARK = 0x06054b50
const ENTRY_MARK = 0x02014b50
const END_BYTES = 22
const MAX_COMMENT_BYTES = 65_535
const STORED = 0
const DEFLATED = 8

export async function extractEntry(
  archive: string,
  wanted: RegExp,
  target: string,
  signal: AbortSignal,
): Promise<ZipEntry> {
  await using file = await open(archive, 'r')
  const entry = (await listEntries(file, archive)).find(({ name }) => wanted.test(name))
  if (entry === undefined) throw new CommandError(`Can't find a model in ${archive}`)
  if (entry.method !== STORED && entry.method !== DEFLATED) throw damaged(archive)
  const start = await contentStart(file, entry, archive)
  const packed = file.createReadStream({ start, end: start + entry.packedBytes - 1, autoClose: false })
  const unpack = entry.method === DEFLATED ? createInflateRaw() : new PassThrough()
  await pipeline(packed, unpack, createCheck(entry, archive), createWriteStream(target, { flush: true }), { signal })
  return entry
}

async function listEntries(file: FileHandle, archive: string): Promise<ZipEntry[]> {
  const { size } = await file.stat()
  const tail = await readAt(
    file,
    Math.max(0, size - END_BYTES - MAX_COMMENT_BYTES),
    Math.min(size, END_BYTES + MAX_COMMENT_BYTES),
  )
  for (let at = tail.length - END_BYTES; at >= 0; at -= 1) {
    if (tail.readUInt32LE(at) !== END_MARK) continue
    const directoryBytes = tail.readUInt32LE(at + 12)
    if (directoryBytes > size) throw damaged(archive)
    const directory = await readAt(file, tail.readUInt32LE(at + 16), directoryBytes)
    return parseDirectory(directory, tail.readUInt16LE(at + 10), archive)
  }
  throw damaged(archive)
}

function parseDirectory(directory: Buffer, count: number, archive: string): ZipEntry[] {
  const entries: ZipEntry[] = []
  let at = 0
  for (let index = 0; index < count; index += 1) {
    if (at + 46 > directory.length || directory.readUInt32LE(at) !== ENTRY_MARK) throw damaged(archive)
    const nameLength = directory.readUInt16LE(at + 28)
    entries.push({
      name: directory.subarray(at + 46, at + 46 + nameLength).toString('utf8'),
      method: directory.readUInt16LE(at + 10),
      crc: directory.readUInt32LE(at + 16),
      packedBytes: directory.readUInt32LE(at + 20),
      bytes: directory.readUInt32LE(at + 24),
      offset: directory.readUInt32LE(at + 42),
    })
    at += 46 + nameLength + directory.readUInt16LE(at + 30) + directory.readUInt16LE(at + 32)
  }
  return entries
}

/** The local header repeats the name and has its own extra fields, so its length can differ from the directory's. */
async function contentStart(file: FileHandle, { offset }: ZipEntry, archive: string): Promise<number> {
  const head = await readAt(file, offset, 30)
  if (head.length < 30) throw damaged(archive)
  return offset + 30 + head.readUInt16LE(26) + head.readUInt16LE(28)
}

/** Passes the data through, and fails if its size or CRC differs from the directory. */
function createCheck(entry: ZipEntry, archive: string): Transform {
  let crc = 0
  let bytes = 0
  return new Transform({
    transform(chunk: Buffer, _, done) {
      crc = crc32(chunk, crc)
      bytes += chunk.length
      if (bytes > entry.bytes) done(damaged(archive))
      else done(null, chunk)
    },
    flush: (done) => done(bytes === entry.bytes && crc === entry.crc ? null : damaged(archive)),
  })
}

async function readAt(file: FileHandle, position: number, length: number): Promise<Buffer> {
  const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, position)
  return buffer.subarray(0, bytesRead)
}

function damaged(archive: string): CommandError {
  return new CommandError(`Can't read ${archive}: the archive is damaged`)
}
