// The defaults of models, and what devices say about their machines.

import { randomUUID } from 'node:crypto'
import { describe, expect, it, onTestFinished } from 'vitest'
import { acme, connectDevice, inAcme, people, putModel, stranger, world } from '../../testing/console-fixture.ts'
import { ScriptedDevice } from '../../testing/scripted-device.ts'
import { Visitor } from '../../testing/visitor.ts'

const SAMPLING = ['temperature', 'topP', 'frequencyPenalty', 'presencePenalty', 'topK', 'minP', 'repeatPenalty']
const NOTHING = Object.fromEntries(
  [...SAMPLING, 'maxTokens', 'systemMessage', 'chatTemplate'].map((name) => [name, null]),
)

interface ShownDevice {
  id: string
  name: string
  machine: unknown
  address: string | null
}

describe('the defaults of a model', () => {
  const put = (name: string, defaults: object) =>
    people.admin.send('PUT', inAcme('/models/defaults'), {
      name,
      defaults: { ...NOTHING, ...defaults },
    })
  const get = (name: string) => people.member.get(inAcme(`/models/defaults?name=${encodeURIComponent(name)}`))

  it('are shown beside what the authors recommend, and replaced as a whole', async () => {
    await putModel({ name: 'SmolLM2-135M-Instruct' })
    const starters = { temperature: 0.2, topP: 0.9, frequencyPenalty: 0.4, maxTokens: 1_024 }
    const recommended = { ...NOTHING, ...starters }
    expect((await get('SmolLM2-135M-Instruct')).body).toEqual({ own: NOTHING, recommended })
    expect((await put('SmolLM2-135M-Instruct', { topP: 0.5, systemMessage: 'Be brief.' })).status).toBe(204)
    const own = { ...NOTHING, topP: 0.5, systemMessage: 'Be brief.' }
    expect((await get('SmolLM2-135M-Instruct')).body).toEqual({ own, recommended })
    await put('SmolLM2-135M-Instruct', {})
    expect((await get('SmolLM2-135M-Instruct')).body).toEqual({ own: NOTHING, recommended })
  })

  it('reach a connected device at once', async () => {
    const model = `m-${randomUUID()}`
    await putModel({ name: model })
    const { device } = await connectDevice(randomUUID(), { models: [model] })
    await put(model, { temperature: 0.3 })
    await device.until('the defaults arrive', () => device.defaults.get(model)?.temperature === 0.3)
    await put(model, {})
    await device.until('the defaults are gone', () => Object.keys(device.defaults.get(model) ?? {}).length === 0)
  })

  it('are rejected with a template that doesn’t work, and nothing is saved', async () => {
    await putModel({ name: 'templated' })
    const answer = await put('templated', { temperature: 0.5, chatTemplate: '{% for message in messages %}' })
    expect([answer.status, answer.body]).toMatchObject([
      400,
      { error: { param: 'defaults.chatTemplate', message: expect.stringContaining("can't be parsed") } },
    ])
    expect((await get('templated')).body).toMatchObject({ own: NOTHING })
  })
})

describe('a device', () => {
  const list = async () => (await people.member.get<{ devices: ShownDevice[] }>(inAcme('/devices'))).body.devices

  it('shows its machine and its address, also after it has gone', async () => {
    const { device: id, credential } = await world.enrolDevice(acme, randomUUID())
    const show = async () => (await list()).find((device) => device.id === id)!
    expect(await show()).toMatchObject({ machine: null })
    const machine = { model: 'ThinkPad X1', system: 'Ubuntu 24.04', cores: 8, memoryBytes: 17_179_869_184 }
    const extraFields = { machine }
    const device = await ScriptedDevice.connect({ gateway: world.base, credential, models: [], extraFields })
    expect(await show()).toMatchObject({ machine: { ...machine, gpu: null }, address: expect.stringMatching(/./) })
    await device.close()
    await expect.poll(show).toMatchObject({ state: 'offline', machine, address: expect.stringMatching(/./) })
  })

  it('has its day: requests by model, replies that it continued, and its energy while it measures any', async () => {
    const { device: id, credential } = await world.enrolDevice(acme, randomUUID())
    const show = async (visitor = people.member) => visitor.get(inAcme(`/devices/${id}/today`))
    const place = { organization: acme, key: 'k', device: id }
    const counts = { requests: 2, errors: 1, promptTokens: 30, completionTokens: 12, waitMs: 5, busyMs: 900 }
    const now = new Date()
    const yesterday = new Date(now.getTime() - 86_400_000)
    const rows = [
      { ...place, ...counts, hour: now, model: 'm' },
      { ...place, ...counts, hour: now, model: 'm', key: 'other' },
      { ...place, ...counts, hour: now, model: 'n' },
      { ...place, ...counts, hour: now, model: 'n', device: 'another' },
      { ...place, ...counts, hour: yesterday, model: 'm' },
    ]
    const taken = { ...place, at: now, request: 'r', model: 'm', code: '', promptTokens: 1, completionTokens: 1 }
    const times = { waitMs: 1, firstTokenMs: 2, totalMs: 3, attempts: 2, isStream: true, isSealed: false }
    const requests = [{ ...taken, ...times, takeOver: { left: 'another', gapMs: 5 } }]
    await world.store.addUsage(rows, undefined, { codes: [], requests })
    const day = {
      since: `${now.toISOString().slice(0, 10)}T00:00:00.000Z`,
      total: { requests: 6, errors: 3, promptTokens: 90, completionTokens: 36, busyMs: 2_700 },
      models: [
        { name: 'm', requests: 4, errors: 2, promptTokens: 60, completionTokens: 24, busyMs: 1_800 },
        { name: 'n', requests: 2, errors: 1, promptTokens: 30, completionTokens: 12, busyMs: 900 },
      ],
      takeOvers: { continued: 1, handedOn: 0 },
    }
    expect((await show()).body).toEqual({ ...day, energy: null })
    const device = await ScriptedDevice.connect({ gateway: world.base, credential, models: [] })
    onTestFinished(() => device.close())
    const energy = { parts: ['gpu' as const], watts: 84.1, wattHoursToday: 12.5 }
    device.send({ type: 'energy', energy })
    await expect.poll(async () => (await show()).body).toEqual({ ...day, energy })
    device.send({ type: 'energy' })
    await expect.poll(async () => (await show()).body).toEqual({ ...day, energy: null })
    expect(Visitor.code(await show(stranger))).toBe('not_found')
  })
})
