// Packs files as an npm package: a gzipped tar archive. The same files produce the same bytes on every machine and at any time, so that
// anyone who has the sources can compute their checksum. Nothing is compressed: how well zlib does that depends on its version and on the
// processor.

import { crc32 } from 'node:zlib'

export interface PackedFile {
  /** Relative to the folder of the package, with slashes. */
  path: string
  content: Uint8Array
  isExecutable?: boolean
}

const BLOCK_BYTES = 512
const MAX_NAME_BYTES = 100
/** Format, no flags, no time, and an unknown operating system. */
const GZIP_HEAD = Buffer.from([0x1f, 0x8b, 8, 0, 0, 0, 0, 0, 0, 255])
/** The most that a stored block of deflate has. */
const STORED_BYTES = 0xff_ff

export function packTarball(files: readonly PackedFile[]): Buffer {
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const tar = Buffer.concat([...inOrder.flatMap(entry), Buffer.alloc(2 * BLOCK_BYTES)])
  const end = Buffer.alloc(8)
  end.writeUInt32LE(crc32(tar), 0)
  end.writeUInt32LE(tar.length, 4)
  return Buffer.concat([GZIP_HEAD, ...storedBlocks(tar), end])
}

function* storedBlocks(bytes: Buffer): Generator<Buffer> {
  for (let offset = 0; offset < bytes.length; offset += STORED_BYTES) {
    const block = bytes.subarray(offset, offset + STORED_BYTES)
    const head = Buffer.alloc(5)
    head.writeUInt8(offset + STORED_BYTES >= bytes.length ? 1 : 0, 0)
    head.writeUInt16LE(block.length, 1)
    head.writeUInt16LE(STORED_BYTES - block.length, 3)
    yield head
    yield block
  }
}

function entry({ path, content, isExecutable = false }: PackedFile): Uint8Array[] {
  const padding = Buffer.alloc((BLOCK_BYTES - (content.length % BLOCK_BYTES)) % BLOCK_BYTES)
  return [header(`package/${path}`, content.length, isExecutable ? 0o755 : 0o644), content, padding]
}

function header(name: string, bytes: number, mode: number): Buffer {
  if (Buffer.byteLength(name) > MAX_NAME_BYTES) throw new Error(`Cannot pack ${name}: its path is too long`)
  const block = Buffer.alloc(BLOCK_BYTES)
  block.write(name, 0)
  block.write(octal(mode, 7), 100)
  block.write(octal(0, 7), 108)
  block.write(octal(0, 7), 116)
  block.write(octal(bytes, 11), 124)
  block.write(octal(0, 11), 136)
  // The checksum counts its own field as spaces.
  block.write('        ', 148)
  block.write('0', 156)
  block.write('ustar\u000000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${octal(sum, 6)}\u0000 `, 148)
  return block
}

function octal(value: number, digits: number): string {
  return value.toString(8).padStart(digits, '0')
}
