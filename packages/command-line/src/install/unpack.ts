// Unpacks an npm package into a folder. It accepts only plain files with plain names, so that an archive can't write anywhere else.

import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { gunzipSync } from 'node:zlib'
import { CommandError } from '../errors.ts'

const BLOCK_BYTES = 512
const MAX_BYTES = 256 * 1024 * 1024
const NAME = /^package((\/(?!\.{1,2}(\/|$))[\w.@+-]+)+)$/
const PLAIN_FILE = '0'

export function unpack(archive: Uint8Array, folder: string): void {
  for (const { path, mode, content } of readFiles(gunzipSync(archive, { maxOutputLength: MAX_BYTES }))) {
    const target = join(folder, path)
    mkdirSync(dirname(target), { recursive: true })
    writeFileSync(target, content, { mode })
  }
}

function* readFiles(tar: Buffer): Generator<{ path: string; mode: number; content: Uint8Array }> {
  let offset = 0
  while (offset + BLOCK_BYTES <= tar.length && tar[offset] !== 0) {
    const header = tar.subarray(offset, offset + BLOCK_BYTES)
    const bytes = readOctal(header, 124, 12)
    const [, path] = NAME.exec(readText(header, 0, 100)) ?? []
    const begin = offset + BLOCK_BYTES
    if (path === undefined || readText(header, 156, 1) !== PLAIN_FILE || begin + bytes > tar.length)
      throw new CommandError("Can't unpack the device app: the archive contains something unexpected", 'try again')
    yield { path, mode: readOctal(header, 100, 8) & 0o755, content: tar.subarray(begin, begin + bytes) }
    offset = begin + Math.ceil(bytes / BLOCK_BYTES) * BLOCK_BYTES
  }
}

function readText(header: Buffer, offset: number, length: number): string {
  return header
    .subarray(offset, offset + length)
    .toString('utf8')
    .replace(/\0.*$/s, '')
}

function readOctal(header: Buffer, offset: number, length: number): number {
  return Number.parseInt(readText(header, offset, length).trim(), 8)
}
