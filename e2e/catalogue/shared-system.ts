// One gateway with its usual devices for all files of the catalogue that need no other: most of their time would go into starting it.

import { afterAll, beforeEach } from 'vitest'
import { startSystem } from '../harness/start-system.ts'

export const system = await startSystem()
afterAll(async () => system[Symbol.asyncDispose]())

beforeEach(() => {
  system.full.plan = {}
})
