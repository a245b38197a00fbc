// Someone in the console lets a device download from its owner's machine and network: by other notations of the same address, and by a hub
// that redirects there. The device is a real one, with its usual settings.

import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { createServer, type AddressInfo } from 'node:net'
import { join } from 'node:path'
import { startStandInHub } from '@hearth/device/testing'
import type { Locator } from 'playwright-core'
import { afterAll, describe, expect, it } from 'vitest'
import { startDeviceProcess } from '../harness/processes/device-process.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'
import { tokenOf } from './harness/fill.ts'
import { visit } from './harness/people.ts'
import { startConsole } from './harness/start-console.ts'

const PRIVATE = /this address is in the owner's private network/

let connections = 0
const inside = createServer((socket) => {
  connections += 1
  socket.on('error', () => {}).destroy()
})
inside.listen(0)
await once(inside, 'listening')
const { port } = inside.address() as AddressInfo

// Its files are on a second server, which is on this machine as well.
const hub = await startStandInHub({
  'acme/capitals-GGUF': { files: { 'capitals-Q4_K_M.gguf': readFileSync(TINY_PATH) } },
})
const system = await startConsole()
const page = await system.ownersPage()
const device = await startRealDevice()
afterAll(async () => {
  await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
  await hub.stop()
  inside.close()
})

async function startRealDevice() {
  const token = await tokenOf(system.store)
  const model = { path: TINY_PATH, name: 'hearth-tiny' }
  return startDeviceProcess({ origin: system.origin, token, model, flags: ['--hub', hub.url] })
}

async function lookUp(reference: string): Promise<Locator> {
  await visit(page, '/models?dialog=add')
  const dialog = page.getByRole('dialog')
  await dialog.getByLabel('Search, or paste a link').fill(reference)
  return dialog
}

describe("the owner's network", () => {
  it.each(['127.0.0.1', '[::ffff:127.0.0.1]', '0.0.0.0', '[::]', '[::1]', '2130706433', 'localhost', '192.168.1.1'])(
    '[U31i] is not reached at https://%s, and the console says why',
    async (host) => {
      const dialog = await lookUp(`https://${host}:${port}/model.gguf`)
      await dialog.getByRole('alert').getByText(PRIVATE).waitFor()
      await dialog.getByText(/The owner can allow it with --allow-local-downloads\./).waitFor()
      expect(connections).toBe(0)
    },
  )

  it('[U31i] is not reached by a redirect of the hub, and the list of downloads says why', async () => {
    const dialog = await lookUp('hf:acme/capitals-GGUF')
    await dialog.getByRole('list', { name: 'Found on the model hub' }).getByRole('button').click()
    await dialog.getByRole('group', { name: 'Devices' }).waitFor()
    await dialog.getByRole('button', { name: 'Download', exact: true }).click()
    const sheet = page.getByRole('dialog')
    await sheet.getByText(PRIVATE).waitFor()
    await sheet.getByRole('button', { name: 'Try again capitals on real' }).waitFor()
    expect(hub.requests.at(-1)).toMatch(/^GET \/acme\/capitals-GGUF\/resolve\//)
    expect(hub.files.ranges).toEqual([])
    const folder = join(device.home, 'models')
    expect(existsSync(folder) ? readdirSync(folder) : []).toEqual([])
  })
})
