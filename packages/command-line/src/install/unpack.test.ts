import { execFileSync } from 'node:child_process'
import { readFileSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { makeArchive } from '../testing/app-gateway.ts'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { unpack } from './unpack.ts'

const pack = (folder: string, ...words: string[]) =>
  execFileSync('tar', ['--format=ustar', '-czf', '-', '-C', folder, ...words])

describe('unpacking', () => {
  it('restores every file', () => {
    const folder = scratchFolder()
    const long = 'x'.repeat(1024)
    unpack(makeArchive({ 'package.json': '{}', 'src/a/b.js': long }), folder)
    expect(readFileSync(join(folder, 'src/a/b.js'), 'utf8')).toBe(long)
    expect(readFileSync(join(folder, 'package.json'), 'utf8')).toBe('{}')
  })

  it('rejects names that lead out of the folder', () => {
    const folder = scratchFolder()
    writeFileSync(join(folder, 'x'), 'x')
    for (const name of ['package/../../x', '/x', 'elsewhere/x', 'package/..', 'package/a/../../x']) {
      const archive = pack(folder, '-P', `--transform=s,.*,${name},`, 'x')
      expect(() => unpack(archive, join(folder, 'in'))).toThrow('something unexpected')
    }
  })

  it('rejects links', () => {
    const folder = scratchFolder()
    symlinkSync('/etc', join(folder, 'package'))
    expect(() => unpack(pack(folder, 'package'), join(folder, 'in'))).toThrow('something unexpected')
  })

  it('rejects a truncated archive', () => {
    expect(() => unpack(makeArchive({ a: 'x'.repeat(2000) }).subarray(0, 60), scratchFolder())).toThrow()
  })
})
