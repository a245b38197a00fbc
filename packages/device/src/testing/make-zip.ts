// Makes ZIP archives for tests, packed like Python wheels.

import { crc32, deflateRawSync } from 'node:zlib'

export interface ZipContent {
  name: string
  bytes: Buffer
  isStored?: boolean
  /** Replaces the correct checksum. */
  crc?: number
}

export function makeZip(contents: readonly ZipContent[]): Buffer {
  const local: Buffer[] = []
  const directory: Buffer[] = []
  let offset = 0
  for (const content of contents) {
    const name = Buffer.from(content.name)
    const packed = content.isStored === true ? content.bytes : deflateRawSync(content.bytes)
    const fields = Buffer.alloc(26)
    fields.writeUInt16LE(content.isStored === true ? 0 : 8, 4)
    fields.writeUInt32LE(content.crc ?? crc32(content.bytes), 10)
    fields.writeUInt32LE(packed.length, 14)
    fields.writeUInt32LE(content.bytes.length, 18)
    fields.writeUInt16LE(name.length, 22)
    // The local header has extra bytes that the directory doesn't have.
    const localFields = Buffer.from(fields)
    localFields.writeUInt16LE(3, 24)
    const piece = Buffer.concat([Buffer.from('PK\u0003\u0004'), localFields, name, Buffer.alloc(3), packed])
    const tail = Buffer.alloc(14)
    tail.writeUInt32LE(offset, 10)
    directory.push(Buffer.concat([Buffer.from('PK\u0001\u0002'), Buffer.alloc(2), fields, tail, name]))
    local.push(piece)
    offset += piece.length
  }
  const end = Buffer.alloc(18)
  end.writeUInt16LE(contents.length, 6)
  end.writeUInt32LE(Buffer.concat(directory).length, 8)
  end.writeUInt32LE(offset, 12)
  return Buffer.concat([...local, ...directory, Buffer.from('PK\u0005\u0006'), end])
}
