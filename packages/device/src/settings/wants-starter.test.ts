import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, it, onTestFinished } from 'vitest'
import { wantsStarter } from './wants-starter.ts'

it('is true for a machine without models, unless its owner has something else to serve or wants none', () => {
  const home = mkdtempSync(join(tmpdir(), 'hearth-starter-'))
  onTestFinished(() => rmSync(home, { recursive: true, force: true }))
  expect(wantsStarter(home, {})).toBe(true)
  expect(wantsStarter(home, { HEARTH_DEVICE_STARTER: 'false' })).toBe(false)
  expect(wantsStarter(home, { HEARTH_DEVICE_UPSTREAM: 'http://127.0.0.1:11434' })).toBe(false)
  writeFileSync(join(home, 'settings.toml'), 'starter = false\n')
  expect(wantsStarter(home, {})).toBe(false)
})
