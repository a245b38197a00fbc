// What a file says that macOS runs: for which processor and system it was built, which libraries it loads, and whether it is signed. From
// Apple's headers <mach-o/loader.h>, <mach-o/fat.h> and <kern/cs_blobs.h>.

import { createHash } from 'node:crypto'

export interface MachO {
  processor: string
  /** The oldest macOS, such as 13.5. */
  minimum: string | undefined
  libraries: string[]
  /** Where @rpath leads to. */
  searched: string[]
  /** `changed`: the signature is of other bytes. A Mac with Apple silicon ends a program that isn't `intact`. */
  signature: 'none' | 'intact' | 'changed'
}

const FAT = 0xca_fe_ba_be
const THIN_64 = 0xfe_ed_fa_cf
const PROCESSORS: Record<number, string> = { 0x01_00_00_07: 'x64', 0x01_00_00_0c: 'arm64' }
const HEADER_BYTES = 32
const BUILD_VERSION = 0x32
const VERSION_MIN_MACOS = 0x24
const CODE_SIGNATURE = 0x1d
const RPATH = 0x80_00_00_1c
/** LC_LOAD_DYLIB and LC_REEXPORT_DYLIB. Without a weak one, a program does too. */
const LOADS = new Set([0x0c, 0x80_00_00_1f])

const SIGNATURES = 0xfa_de_0c_c0
const CODE_DIRECTORY = 0xfa_de_0c_02
const HASHES: Record<number, string> = { 1: 'sha1', 2: 'sha256' }

/** One for each processor that it was built for; none if it is another kind of file. */
export function readMachO(file: Buffer): MachO[] {
  if (file.length < HEADER_BYTES) return []
  if (file.readUInt32LE(0) === THIN_64) return [readOne(file)]
  // A class of Java begins with the same number, and then has its version, above 40.
  if (file.readUInt32BE(0) !== FAT || file.readUInt32BE(4) > 9) return []
  return Array.from({ length: file.readUInt32BE(4) }, (_, at) => {
    const start = file.readUInt32BE(8 + at * 20 + 8)
    return readOne(file.subarray(start, start + file.readUInt32BE(8 + at * 20 + 12)))
  })
}

function readOne(file: Buffer): MachO {
  const processor = file.readUInt32LE(4)
  const found: MachO = {
    processor: PROCESSORS[processor] ?? `0x${processor.toString(16)}`,
    minimum: undefined,
    libraries: [],
    searched: [],
    signature: 'none',
  }
  for (const { kind, bytes } of commands(file)) {
    if (kind === BUILD_VERSION) found.minimum = version(bytes.readUInt32LE(12))
    if (kind === VERSION_MIN_MACOS) found.minimum = version(bytes.readUInt32LE(8))
    if (LOADS.has(kind)) found.libraries.push(text(bytes))
    if (kind === RPATH) found.searched.push(text(bytes))
    if (kind === CODE_SIGNATURE) found.signature = isIntact(file, bytes.readUInt32LE(8)) ? 'intact' : 'changed'
  }
  return found
}

function* commands(file: Buffer): Generator<{ kind: number; bytes: Buffer }> {
  let at = HEADER_BYTES
  for (let left = file.readUInt32LE(16); left > 0; left -= 1) {
    const length = file.readUInt32LE(at + 4)
    yield { kind: file.readUInt32LE(at), bytes: file.subarray(at, at + length) }
    at += length
  }
}

/** Its place in the command is the third number. */
function text(command: Buffer): string {
  const [path = ''] = command.toString('utf8', command.readUInt32LE(8)).split('\0', 1)
  return path
}

function version(packed: number): string {
  return `${packed >>> 16}.${(packed >>> 8) & 0xff}`
}

/** Compares the pages of the file with their hashes in the signature, not who signed. */
function isIntact(file: Buffer, at: number): boolean {
  const blobs = file.subarray(at)
  if (blobs.readUInt32BE(0) !== SIGNATURES) return false
  const places = Array.from({ length: blobs.readUInt32BE(8) }, (_, index) => blobs.readUInt32BE(12 + index * 8 + 4))
  const directories = places.filter((place) => blobs.readUInt32BE(place) === CODE_DIRECTORY)
  return directories.length > 0 && directories.every((place) => fits(file, blobs.subarray(place)))
}

function fits(file: Buffer, directory: Buffer): boolean {
  const hashes = directory.readUInt32BE(16)
  const count = directory.readUInt32BE(28)
  const end = directory.readUInt32BE(32)
  const [bytes, kind, pageBits] = [directory.readUInt8(36), directory.readUInt8(37), directory.readUInt8(39)]
  const name = HASHES[kind]
  if (name === undefined) return false
  return Array.from({ length: count }).every((_, page) => {
    const code = file.subarray(page << pageBits, Math.min((page + 1) << pageBits, end))
    const wanted = directory.subarray(hashes + page * bytes, hashes + (page + 1) * bytes)
    return createHash(name).update(code).digest().subarray(0, bytes).equals(wanted)
  })
}
