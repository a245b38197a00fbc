// A console whose organization has devices, models, keys and members, with its owner signed in.

import type { ScriptedDevice } from '@hearth/gateway/testing'
import type { Page } from 'playwright-core'
import { fillOrganization } from './fill.ts'
import { startConsole, type ConsoleSystem } from './start-console.ts'

export interface FilledConsole extends AsyncDisposable {
  system: ConsoleSystem
  page: Page
  devices: ScriptedDevice[]
}

export async function startFilledConsole(): Promise<FilledConsole> {
  const system = await startConsole()
  const page = await system.ownersPage()
  const devices = await fillOrganization(system.store, system.origin)
  return {
    system,
    page,
    devices,
    async [Symbol.asyncDispose]() {
      for (const device of devices) await device[Symbol.asyncDispose]()
      await system[Symbol.asyncDispose]()
    },
  }
}
