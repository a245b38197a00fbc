// A model reaches a second device from the first one, through the gateway, while the hub can't be reached.

import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { startStandInHub } from '@hearth/device/testing'
import { createEnrolmentToken } from '@hearth/gateway/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { startDeviceProcess, type DeviceProcess } from '../harness/device-process.ts'
import { expectCompletion } from '../harness/expect-reply.ts'
import { startSystem } from '../harness/start-system.ts'

const TINY = fileURLToPath(new URL('../../packages/device/tiny-model/tiny.gguf', import.meta.url))
const MODEL = 'qwen3:8b'
const FILE = 'Qwen3-8B-Q4_K_M.gguf'

const hub = await startStandInHub({ 'unsloth/Qwen3-8B-GGUF': { files: { [FILE]: readFileSync(TINY) } } })
const system = await startSystem({ devices: 'none' })
const first = await startDevice()
const devices = [first]
afterAll(async () => {
  for (const device of devices) await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
  await hub.stop()
})

async function startDevice(): Promise<DeviceProcess> {
  const { key: token, digest } = createEnrolmentToken()
  await system.change(async (store, { home: organization }) => {
    await store.enableModel({ organization, name: MODEL })
    await store.createEnrolment({ organization, digest, expiresAt: new Date(Date.now() + 600_000) })
  })
  const environment = { HEARTH_DEVICE_HUB: hub.url }
  return startDeviceProcess({ origin: system.origin, token, model: { path: MODEL, name: MODEL }, environment })
}

async function find(credential: string): Promise<number> {
  const url = `${system.origin}/device/v1/relay/models?name=${encodeURIComponent(MODEL)}`
  return (await fetch(url, { headers: { authorization: `Bearer ${credential}` } })).status
}

describe('a model that another device has', () => {
  it('[L50] is known to devices of the same organization only', async () => {
    const sibling = await system.enrol('home')
    await expect.poll(() => find(sibling)).toBe(200)
    expect(await find(await system.enrol('other'))).toBe(404)
    expect(await find('he-hearth-wrong')).toBe(401)
  })

  it('[U31k] is copied through the gateway when the hub cannot be reached, verified, and served', async () => {
    hub.isAway = true
    const second = await startDevice()
    devices.push(second)
    expect(await second.command('models', 'verify')).toContain(`${MODEL}: checksum OK`)
    const digest = async (device: DeviceProcess): Promise<unknown> =>
      JSON.parse(await device.command('models', 'list', '--json'))[0].sha256
    expect(await digest(second)).toBe(await digest(first))
    await first.kill()
    const messages = [{ role: 'user', content: 'What is the capital of Italy?' }]
    const { choices } = expectCompletion(await system.client.post({ model: MODEL, messages, temperature: 0 }))
    expect(choices[0]!.message.content).toBe('The capital of Italy is Rome.')
  })
})
