// Packs files as an npm package: a gzipped tar archive. The same files produce the same bytes on every machine and at any time, so that
// their checksum identifies them.

import { promisify } from 'node:util'
import { gzip } from 'node:zlib'

export interface PackedFile {
  /** Relative to the folder of the package, with slashes. */
  path: string
  content: Uint8Array
  isExecutable?: boolean
}

const BLOCK_BYTES = 512
const MAX_NAME_BYTES = 100
/** The byte of the gzip header that names the operating system; 255 means unknown. */
const SYSTEM_OFFSET = 9

export async function packTarball(files: readonly PackedFile[]): Promise<Buffer> {
  const inOrder = files.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  const packed = await promisify(gzip)(Buffer.concat([...inOrder.flatMap(entry), Buffer.alloc(2 * BLOCK_BYTES)]), {
    level: 9,
  })
  packed[SYSTEM_OFFSET] = 255
  return packed
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
