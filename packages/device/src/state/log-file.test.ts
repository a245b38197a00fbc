import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { beforeEach, describe, expect, it } from 'vitest'
import { LogFile } from './log-file.ts'

let folder: string
let path: string
beforeEach(() => {
  folder = scratchFolder()
  path = join(folder, 'some.log')
})

describe('the log file', () => {
  it('keeps lines with their time and part, for the owner only', () => {
    const log = new LogFile()
    log.add('gateway', 'listening')
    log.open(path)
    log.flush()
    expect(readFileSync(path, 'utf8')).toMatch(/^\d{4}-\S+Z gateway: listening\n$/)
    expect(statSync(path).mode & 0o777).toBe(0o600)
  })

  it('keeps no keys and no one-time links', () => {
    const log = new LogFile()
    log.open(path)
    for (const prefix of ['sk', 'hs', 'hi', 'he', 'hd']) log.add('gateway', `open /set-up#${prefix}-hearth-Ab_c-9 now`)
    log.flush()
    const text = readFileSync(path, 'utf8')
    expect(text).not.toContain('Ab_c')
    expect(text).toContain('open /set-up#hs-hearth-… now')
  })

  it('stays small, however much is written', () => {
    const log = new LogFile()
    log.open(path)
    for (let round = 0; round < 100; round++) {
      for (let line = 0; line < 3_000; line++) log.add('gateway', 'x'.repeat(100))
      log.flush()
    }
    const sizes = readdirSync(folder).map((name) => statSync(join(folder, name)).size)
    expect(sizes).toHaveLength(2)
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000_100)
    expect(readFileSync(path, 'utf8')).toContain('lines were left out')
  })
})
