import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { appFolder } from './app-folder.ts'
import { DEVICE_APP } from './program.ts'

it('starts the current version as hearth-device and as hearth', () => {
  const home = scratchFolder()
  const folder = appFolder(home, DEVICE_APP)
  const version = folder.version('1.0.0-abc')
  mkdirSync(version, { recursive: true })
  writeFileSync(join(version, 'run'), '#!/bin/sh\necho "$HEARTH_COMMAND|$HEARTH_DEVICE_HOME|$*"\n', { mode: 0o755 })
  folder.choose('1.0.0-abc')
  const run = (name: string, ...words: string[]) =>
    execFileSync(join(dirname(folder.command), name), words, { encoding: 'utf8', env: { PATH: process.env['PATH'] } })
  expect(run('hearth-device', 'status')).toBe(`|${home}|status\n`)
  expect(run('hearth', 'device', 'models', 'list')).toBe(`hearth|${home}|device models list\n`)
})
