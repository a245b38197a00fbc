// A model reaches a second device from the first one, through the gateway, while the hub can't be reached.

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { startStandInHub } from '@hearth/device/testing'
import { afterAll, describe, expect, it } from 'vitest'
import { startDeviceProcess, type DeviceProcess } from '../harness/processes/device-process.ts'
import { expectCompletion } from '../harness/client/expect-reply.ts'
import { startSystem } from '../harness/start-system.ts'
import { TINY_PATH } from '../harness/tiny-model.ts'

const MODEL = 'qwen3:8b'
const FILE = 'Qwen3-8B-Q4_K_M.gguf'

const hub = await startStandInHub({ 'unsloth/Qwen3-8B-GGUF': { files: { [FILE]: readFileSync(TINY_PATH) } } })
const system = await startSystem({ devices: 'none' })
const first = await startDevice()
const devices = [first]
afterAll(async () => {
  for (const device of devices) await device[Symbol.asyncDispose]()
  await system[Symbol.asyncDispose]()
  await hub.stop()
})

async function startDevice(): Promise<DeviceProcess> {
  const token = await system.enrolmentToken(MODEL)
  const environment = { HEARTH_DEVICE_HUB: hub.url }
  return startDeviceProcess({ origin: system.origin, token, model: { path: MODEL, name: MODEL }, environment })
}

async function call(path: string, credential: string, init: RequestInit = {}): Promise<number> {
  const headers = new Headers(init.headers)
  headers.set('authorization', `Bearer ${credential}`)
  const response = await fetch(`${system.origin}/device/v1/relay/${path}`, { ...init, headers })
  await response.arrayBuffer()
  return response.status
}

async function find(credential: string): Promise<number> {
  return call(`models?name=${encodeURIComponent(MODEL)}`, credential)
}

describe('a model that another device has', () => {
  it('is known to devices of the same organization only', async () => {
    const sibling = await system.enrol('home')
    await expect.poll(() => find(sibling)).toBe(200)
    const stranger = await system.enrol('other')
    expect(await find(stranger)).toBe(404)
    expect(await find('he-hearth-wrong')).toBe(401)
    const file = `files/${createHash('sha256').update(readFileSync(TINY_PATH)).digest('hex')}`
    expect(await call(file, sibling)).toBe(206)
    expect(await call(file, stranger)).toBe(404)
  })

  it('is copied through the gateway when the hub cannot be reached, verified, and served', async () => {
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
