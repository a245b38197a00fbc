import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { describe, expect, it } from 'vitest'
import { judgePackage } from './judge-package.ts'

const ARM64 = 0x01_00_00_0c
const X64 = 0x01_00_00_07
const PAGE_BITS = 12

function numbers(...words: readonly number[]): Buffer {
  const bytes = Buffer.alloc(words.length * 4)
  for (const [index, word] of words.entries()) bytes.writeUInt32LE(word >>> 0, index * 4)
  return bytes
}

function bigEndian(...words: readonly number[]): Buffer {
  return numbers(...words).swap32()
}

/** A command whose text comes after its numbers. */
function named(kind: number, text: string, ...more: readonly number[]): Buffer {
  const start = (3 + more.length) * 4
  const room = Math.ceil((text.length + 1) / 8) * 8
  const bytes = Buffer.concat([numbers(kind, start + room, start, ...more), Buffer.alloc(room)])
  bytes.write(text, start)
  return bytes
}

/** A library for macOS 14.0 that loads others. */
function machO({ processor = ARM64, loads = [] as string[], isSigned = true } = {}): Buffer {
  const commands = [
    numbers(0x32, 24, 1, 14 << 16, 14 << 16, 0),
    named(0x80_00_00_1c, '@loader_path'),
    ...loads.map((library) => named(0x0c, library, 0, 0, 0)),
  ]
  const bytes = Buffer.concat(commands).length + (isSigned ? 16 : 0)
  const end = 32 + bytes
  if (isSigned) commands.push(numbers(0x1d, 16, end, 0))
  const head = numbers(0xfe_ed_fa_cf, processor, 0, 6, commands.length, bytes, 0, 0)
  const code = Buffer.concat([head, ...commands])
  return isSigned ? Buffer.concat([code, signature(code)]) : code
}

function signature(code: Buffer): Buffer {
  const hash = createHash('sha256').update(code).digest()
  const directory = Buffer.concat([
    bigEndian(0xfa_de_0c_02, 44 + hash.length, 0x2_04_00, 2, 44, 0, 0, 1, code.length),
    Buffer.from([hash.length, 2, 0, PAGE_BITS]),
    bigEndian(0),
    hash,
  ])
  return Buffer.concat([bigEndian(0xfa_de_0c_c0, 20 + directory.length, 1, 0, 20), directory])
}

/** A library for Windows 10 on x64 that loads others: headers, and one section, whose addresses begin at 4096. */
function portableExecutable(loads: readonly string[]): Buffer {
  const [address, at] = [4096, 512]
  const names = loads.map((name) => Buffer.from(`${name}\0`))
  const entries = Buffer.alloc((loads.length + 1) * 20)
  let place = entries.length
  for (const [index, name] of names.entries()) {
    entries.writeUInt32LE(address + place, index * 20 + 12)
    place += name.length
  }
  const section = Buffer.concat([entries, ...names])
  const optional = Buffer.alloc(240)
  optional.writeUInt16LE(0x20b, 0)
  optional.writeUInt16LE(10, 48)
  optional.writeUInt32LE(address, 112 + 8)
  const coff = Buffer.alloc(20)
  coff.writeUInt16LE(0x8664, 0)
  coff.writeUInt16LE(1, 2)
  coff.writeUInt16LE(optional.length, 16)
  const described = Buffer.concat([Buffer.from('.rdata\0\0'), numbers(section.length, address, section.length, at)])
  const dos = Buffer.alloc(64)
  dos.write('MZ')
  dos.writeUInt32LE(64, 60)
  const head = Buffer.concat([dos, Buffer.from('PE\0\0'), coff, optional, described])
  return Buffer.concat([head, Buffer.alloc(at - head.length), section])
}

function judge(files: Record<string, Buffer | string>, processor = 'arm64') {
  const folder = scratchFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), content)
  }
  return judgePackage(folder, processor)
}

describe('a package for macOS', () => {
  it('can run if it is signed, and has what its programs load', () => {
    const files = {
      'README.md': 'text',
      'bin/postgres': machO({ loads: ['@loader_path/../lib/libz.1.dylib', '/usr/lib/libSystem.B.dylib'] }),
      'lib/libz.1.2.dylib': machO({ loads: ['@rpath/libbase.dylib'] }),
      'lib/libbase.dylib': machO(),
      'pg-symlinks.json': JSON.stringify([{ source: 'lib/libz.1.2.dylib', target: 'lib/libz.1.dylib' }]),
    }
    const judged = { files: 3, minimum: 'macOS 14.0', signature: 'intact', needs: [], problems: [] }
    expect(judge(files)).toStrictEqual(judged)
  })

  it('can’t run with Apple silicon if it is not signed, or was changed afterwards', () => {
    const changed = machO({ loads: ['/usr/lib/libz.dylib'] })
    changed[changed.indexOf('libz')] = 0x4c
    expect(judge({ changed, plain: machO({ isSigned: false }) }).problems).toStrictEqual([
      'changed: signature changed',
      'plain: signature none',
    ])
    const forIntel = machO({ processor: X64, isSigned: false })
    expect(judge({ forIntel }, 'x64')).toMatchObject({ signature: 'none', problems: [] })
  })

  it('can’t run for another processor, or without a library', () => {
    const loads = ['@rpath/libgone.dylib', '/opt/homebrew/lib/libz.dylib']
    expect(judge({ 'a.node': machO({ loads }), 'b.node': machO({ processor: X64 }) }).problems).toStrictEqual([
      'b.node: not for arm64',
      'a.node: no @rpath/libgone.dylib',
      'a.node: no /opt/homebrew/lib/libz.dylib',
    ])
  })

  it('may have programs for several processors', () => {
    const [one, other] = [machO(), machO({ processor: X64 })]
    const places = bigEndian(0xca_fe_ba_be, 2, ARM64, 0, 64, one.length, 0, X64, 0, 64 + one.length, other.length, 0)
    const fat = Buffer.concat([places, Buffer.alloc(64 - places.length), one, other])
    expect(judge({ fat })).toMatchObject({ files: 1, signature: 'intact', problems: [] })
  })
})

describe('a package for Windows', () => {
  it('says what has to be installed first, and what is missing', () => {
    const files = {
      'bin/llama.dll': portableExecutable(['KERNEL32.dll', 'ggml.dll', 'VCRUNTIME140.dll', 'cuda.dll']),
      'bin/ggml.dll': portableExecutable(['api-ms-win-crt-heap-l1-1-0.dll']),
    }
    expect(judge(files, 'x64')).toStrictEqual({
      files: 2,
      minimum: 'Windows 10.0',
      signature: 'none',
      needs: ['vcruntime140.dll'],
      problems: ['bin/llama.dll: no cuda.dll'],
    })
    expect(judge(files, 'arm64').problems).toContain('bin/ggml.dll: not for arm64')
  })
})

it('has programs', () => {
  expect(() => judge({ 'index.js': '' })).toThrow('has no programs for macOS or Windows')
})
