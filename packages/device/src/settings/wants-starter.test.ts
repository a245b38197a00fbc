import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { expect, it } from 'vitest'
import { wantsStarter } from './wants-starter.ts'

it('is true for a machine without models, unless its owner has something else to serve or wants none', () => {
  const home = scratchFolder()
  expect(wantsStarter(home, {})).toBe(true)
  expect(wantsStarter(home, { HEARTH_DEVICE_STARTER: 'false' })).toBe(false)
  expect(wantsStarter(home, { HEARTH_DEVICE_UPSTREAM: 'http://127.0.0.1:11434' })).toBe(false)
  writeFileSync(join(home, 'settings.toml'), 'starter = false\n')
  expect(wantsStarter(home, {})).toBe(false)
})
