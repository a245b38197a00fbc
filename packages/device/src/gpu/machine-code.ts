// For which cards a CUDA library has machine code. For all others it has at most PTX, which the driver compiles when it is first needed, if
// it is new enough. Reads the headers of the fat binaries in the file's section `.nv_fatbin`.

import { closeSync, openSync, readSync } from 'node:fs'

const SECTION = '.nv_fatbin'
const FAT_BINARY = 0xba55ed50
const MACHINE_CODE = 2
/** A library has a fat binary for each of its source files; more than this is no library of ours. */
const MAX_HEADERS = 100_000

/** Compute capabilities such as 8.6, in order. Undefined if the file can't be read as a CUDA library. */
export function machineCodeIn(path: string): string[] | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch {
    return undefined
  }
  try {
    const section = findSection(file)
    return section === undefined ? undefined : capabilitiesIn(file, section)
  } catch (error) {
    // A file that ends too early.
    if (error instanceof RangeError) return undefined
    throw error
  } finally {
    closeSync(file)
  }
}

/** Machine code also runs on later cards of the same generation. */
export function runsOn(capability: string, machineCode: readonly string[]): boolean {
  const [major, minor] = parts(capability)
  return machineCode.map(parts).some((code) => code[0] === major && code[1] <= minor)
}

interface Section {
  start: number
  end: number
}

/** Of a 64-bit ELF file. */
function findSection(file: number): Section | undefined {
  const header = read(file, 0, 64)
  if (header.readUInt32BE(0) !== 0x7f454c46 || header[4] !== 2) return undefined
  const [start, size] = [Number(header.readBigUInt64LE(40)), header.readUInt16LE(58)]
  const sections = Array.from({ length: header.readUInt16LE(60) }, (_, index) => read(file, start + index * size, 64))
  const names = sections[header.readUInt16LE(62)]
  if (names === undefined) return undefined
  const { start: namesAt } = placeOf(names)
  const found = sections.find((section) => nameAt(file, namesAt + section.readUInt32LE(0)) === SECTION)
  return found === undefined ? undefined : placeOf(found)
}

function placeOf(section: Buffer): Section {
  const start = Number(section.readBigUInt64LE(24))
  return { start, end: start + Number(section.readBigUInt64LE(32)) }
}

function nameAt(file: number, position: number): string {
  return (
    read(file, position, SECTION.length + 1)
      .toString('latin1')
      .split('\0')[0] ?? ''
  )
}

function capabilitiesIn(file: number, { start, end }: Section): string[] {
  const found = new Set<number>()
  let at = start
  for (let headers = 0; at + 16 <= end && headers < MAX_HEADERS; headers += 1) {
    const header = read(file, at, 16)
    const isBinary = header.readUInt32LE(0) === FAT_BINARY
    const [first, bytes] = [at + header.readUInt16LE(6), Number(header.readBigUInt64LE(8))]
    if (isBinary) for (const code of entriesIn(file, first, first + bytes)) found.add(code)
    // Binaries begin at multiples of eight.
    at = isBinary ? Math.ceil((first + bytes) / 8) * 8 : at + 8
  }
  return [...found].toSorted((a, b) => a - b).map((code) => `${Math.floor(code / 10)}.${code % 10}`)
}

function entriesIn(file: number, start: number, end: number): number[] {
  const found: number[] = []
  for (let at = start; at + 32 <= end;) {
    const entry = read(file, at, 32)
    if (entry.readUInt16LE(0) === MACHINE_CODE) found.push(entry.readUInt32LE(28))
    at += Math.max(32, entry.readUInt32LE(4) + Number(entry.readBigUInt64LE(8)))
  }
  return found
}

/** What lies behind the end of the file is zero. */
function read(file: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  readSync(file, bytes, 0, length, position)
  return bytes
}

function parts(capability: string): [number, number] {
  const [major = 0, minor = 0] = capability.split('.').map(Number)
  return [major, minor]
}
