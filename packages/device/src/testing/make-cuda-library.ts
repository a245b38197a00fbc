// The bytes of a shared library with fat binaries of CUDA: enough of an ELF file to find its section, and the headers in it.

export interface CudaLibraryParts {
  /** Compute capabilities without a dot. */
  machineCode: readonly number[]
  ptx: readonly number[]
  section?: string
}

const HEADER_BYTES = 64

export function makeCudaLibrary({ machineCode, ptx, section = '.nv_fatbin' }: CudaLibraryParts): Buffer {
  const binaries = Buffer.concat([fatBinary(machineCode, 2), Buffer.alloc(8), fatBinary(ptx, 1)])
  const names = Buffer.from(`\0${section}\0.shstrtab\0`)
  const namesAt = HEADER_BYTES + binaries.length
  const sectionsAt = namesAt + names.length
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32BE(0x7f454c46, 0)
  header[4] = 2
  header.writeBigUInt64LE(BigInt(sectionsAt), 40)
  header.writeUInt16LE(HEADER_BYTES, 58)
  header.writeUInt16LE(2, 60)
  header.writeUInt16LE(1, 62)
  const sections = [
    sectionHeader(1, HEADER_BYTES, binaries.length),
    sectionHeader(section.length + 2, namesAt, names.length),
  ]
  return Buffer.concat([header, binaries, names, ...sections])
}

function sectionHeader(nameAt: number, start: number, length: number): Buffer {
  const header = Buffer.alloc(HEADER_BYTES)
  header.writeUInt32LE(nameAt, 0)
  header.writeBigUInt64LE(BigInt(start), 24)
  header.writeBigUInt64LE(BigInt(length), 32)
  return header
}

function fatBinary(capabilities: readonly number[], kind: 1 | 2): Buffer {
  const entries = Buffer.concat(capabilities.map((capability) => entry(capability, kind)))
  const header = Buffer.alloc(16)
  header.writeUInt32LE(0xba55ed50, 0)
  header.writeUInt16LE(16, 6)
  header.writeBigUInt64LE(BigInt(entries.length), 8)
  return Buffer.concat([header, entries])
}

function entry(capability: number, kind: 1 | 2): Buffer {
  const code = Buffer.alloc(24, 0xee)
  const header = Buffer.alloc(64)
  header.writeUInt16LE(kind, 0)
  header.writeUInt32LE(64, 4)
  header.writeBigUInt64LE(BigInt(code.length), 8)
  header.writeUInt32LE(capability, 28)
  return Buffer.concat([header, code])
}
