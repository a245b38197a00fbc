// What a file says that Windows runs: for which processor and system it was built, and which libraries it loads. From Microsoft's
// specification of the PE format.

export interface PortableExecutable {
  processor: string
  /** The oldest Windows, such as 10.0. */
  minimum: string
  /** In lower case, as Windows compares them. */
  libraries: string[]
  isSigned: boolean
}

const PROCESSORS: Record<number, string> = { 0x8664: 'x64', 0xaa64: 'arm64', 0x14c: 'ia32' }
const PE32_PLUS = 0x20b
const IMPORTS = 1
const CERTIFICATES = 4
const IMPORT_BYTES = 20

/** Undefined if it is another kind of file, or for a processor of 32 bits. Libraries that it may load later don't count. */
export function readPortableExecutable(file: Buffer): PortableExecutable | undefined {
  if (file.length < 64 || file.toString('latin1', 0, 2) !== 'MZ') return undefined
  const start = file.readUInt32LE(60)
  if (file.toString('latin1', start, start + 4) !== 'PE\0\0') return undefined
  const processor = file.readUInt16LE(start + 4)
  const optional = file.subarray(start + 24)
  if (optional.readUInt16LE(0) !== PE32_PLUS) return undefined
  const directory = (index: number) => optional.readUInt32LE(112 + index * 8)
  return {
    processor: PROCESSORS[processor] ?? `0x${processor.toString(16)}`,
    minimum: `${optional.readUInt16LE(48)}.${optional.readUInt16LE(50)}`,
    libraries: directory(IMPORTS) === 0 ? [] : [...imports(file, directory(IMPORTS), placesOf(file, start))],
    isSigned: directory(CERTIFICATES) !== 0,
  }
}

type Places = (address: number) => number

/** Where in the file the bytes are that get an address in memory. */
function placesOf(file: Buffer, start: number): Places {
  const first = start + 24 + file.readUInt16LE(start + 20)
  const sections = Array.from({ length: file.readUInt16LE(start + 6) }, (_, index) => {
    const section = file.subarray(first + index * 40)
    return { address: section.readUInt32LE(12), bytes: section.readUInt32LE(16), at: section.readUInt32LE(20) }
  })
  return (wanted) => {
    const section = sections.find(({ address, bytes }) => wanted >= address && wanted < address + bytes)
    if (section === undefined) throw new Error(`no section has the address ${wanted}`)
    return section.at + wanted - section.address
  }
}

/** An entry without a name is the last one. */
function* imports(file: Buffer, address: number, places: Places): Generator<string> {
  for (let at = places(address); ; at += IMPORT_BYTES) {
    const name = file.readUInt32LE(at + 12)
    if (name === 0) return
    const from = places(name)
    yield file.toString('latin1', from, file.indexOf(0, from)).toLowerCase()
  }
}
