// One gateway for all bad input, and a bystander that must not notice any of it.

import { afterAll } from 'vitest'
import { watchBystander } from '../harness/bystander.ts'
import { startSystem } from '../harness/start-system.ts'

// Three missed pings close a link: a device on a busy machine has nine seconds to answer.
const SETTINGS = { CLIENT_STALL_MS: '1500', PING_BUSY_MS: '3000', PING_IDLE_MS: '3000' }

export const system = await startSystem({ settings: SETTINGS })
afterAll(async () => system[Symbol.asyncDispose]())
watchBystander(system)
