import type { DeviceModel } from '@hearth/protocol'
import { describe, expect, it, onTestFinished } from 'vitest'
import { ByteBudget } from '@hearth/chat'
import { settledHeapBytes } from '../testing/settled-heap.ts'
import { Fleet } from './fleet.ts'
import { alone } from './peers/alone.ts'
import { QUIET } from './testing/open-gateways.ts'

const DEVICES = 20
const MODELS = 256
const SOCKET = { send: () => undefined, close: () => undefined, bufferedBytes: 0 }

function openFleet(budget: ByteBudget): Fleet {
  const budgets = { devices: budget, reports: budget }
  const silent = { onRecord: () => {}, onPresence: () => {}, onConflict: () => {} }
  const defaults = { defaultsOf: () => undefined, templatedModels: () => [] }
  const fleet = new Fleet({ ...QUIET, ...silent, defaults, budgets, limits: {} }, alone())
  onTestFinished(() => fleet.drain(0))
  return fleet
}

async function greet(fleet: Fleet, device: string, name: (model: number) => string) {
  const accept = await fleet.accept({ id: device, organization: 'acme', name: device })
  const link = accept(SOCKET)
  const models = Array.from({ length: MODELS }, (_, model): DeviceModel => {
    return { name: name(model), contextLength: 1, slots: 1, features: [] }
  })
  const hello = { type: 'hello', protocols: [1], app: '1', boot: device, engine: 'e', models }
  link.receive(JSON.stringify(hello), performance.now())
  return link
}

describe('the memory of devices', () => {
  it.each([
    ['that all of them have', (_device: number, model: number) => `m${model}`],
    ['that nobody else has', (device: number, model: number) => `m${device}-${model}`],
    ['with long names', (device: number, model: number) => `${device}-${model}-研`.padEnd(256, 'x')],
  ])('counts all of it: models %s', async (_, nameOf) => {
    const budget = new ByteBudget(1024 * 1024 * 1024)
    const fleet = openFleet(budget)
    const links = [await greet(fleet, 'first', (model) => nameOf(-1, model))]
    const [before, counted] = [await settledHeapBytes(), budget.usedBytes]
    for (let device = 0; device < DEVICES; device++)
      links.push(await greet(fleet, `d${device}`, (model) => nameOf(device, model)))
    const taken = (await settledHeapBytes()) - before
    expect(taken).toBeLessThan(budget.usedBytes - counted)
    for (const link of links) link.ended()
    expect(budget.usedBytes).toBe(0)
  })

  it('is given back when they leave, also at the scheduler', async () => {
    const fleet = openFleet(new ByteBudget(1024 * 1024 * 1024))
    const come = async (device: number) => greet(fleet, `d${device}`, (model) => `m${device}-${model}`)
    const stays = await come(-1)
    ;(await come(-2)).ended()
    const before = await settledHeapBytes()
    for (let device = 0; device < DEVICES; device++) (await come(device)).ended()
    const perModel = ((await settledHeapBytes()) - before) / (DEVICES * MODELS)
    expect(perModel).toBeLessThan(100)
    stays.ended()
  })
})
