// The pages of models and devices, with one gateway, one browser and one organization that has some of everything.

import { afterAll, expect, it } from 'vitest'
import { startFilledConsole } from './harness/start-filled-console.ts'
import { devicesPage } from './pages/devices.ts'
import { modelsPage } from './pages/models.ts'

const filled = await startFilledConsole()
afterAll(async () => filled[Symbol.asyncDispose]())

modelsPage(filled)
devicesPage(filled)

it('loads nothing from other origins and logs no errors', () => {
  expect(filled.system.observed).toStrictEqual({ foreignRequests: [], faults: [] })
})
