import { execFileSync } from 'node:child_process'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { scratchFolder } from '../testing/scratch-folder.ts'
import { appFolder } from './app-folder.ts'
import { DEVICE_APP } from './program.ts'

it('starts the current version, by the name of its command', () => {
  const home = scratchFolder()
  const folder = appFolder(home, DEVICE_APP)
  const version = folder.version('1.0.0-abc')
  mkdirSync(version, { recursive: true })
  writeFileSync(join(version, 'run'), '#!/bin/sh\necho "$HEARTH_COMMAND|$HEARTH_DEVICE_HOME|$*"\n', { mode: 0o755 })
  folder.choose('1.0.0-abc')
  const options = { encoding: 'utf8' as const, env: { PATH: process.env['PATH'], HEARTH_COMMAND: 'hearth device' } }
  expect(execFileSync(folder.command, ['models', 'list'], options)).toBe(`|${home}|models list\n`)
})
