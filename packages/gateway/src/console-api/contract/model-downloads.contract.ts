// Models that people add to devices from the console.

import type { Library, ModelReply, ModelRequestFrame } from '@hearth/protocol'
import { describe, expect, it } from 'vitest'
import {
  acme,
  audit,
  connectDevice,
  inAcme,
  makeKey,
  people,
  putModel,
  useKey,
  world,
} from '../../testing/console-fixture.ts'
import { Visitor } from '../../testing/visitor.ts'

const library: Library = { isOpen: true, diskFreeBytes: 5, memoryBytes: 6, models: [] }
const found = { name: 'added', source: 'hf:a/b:Q4_K_M', bytes: 10, memoryBytes: 12 }

interface Shown {
  models: { name: string; state: string; devices: unknown[]; downloads: unknown[]; copies: unknown[] }[]
}

describe('models on devices', () => {
  it('are downloaded, paused, canceled and removed, and the audit log says who asked', async () => {
    const { path, device } = await connect('worker', () => ({ found, freedBytes: 10 }))
    const { admin, owner } = people
    expect(await admin.post(`${path}/models/look-up`, { source: 'added' })).toMatchObject({
      status: 200,
      body: { found: { ...found, license: null, quantizations: null }, hits: [] },
    })
    expect((await download(path, 'added')).status).toBe(200)
    expect((await admin.post(`${path}/downloads/pause`, { model: 'added' })).status).toBe(204)
    expect((await owner.send('DELETE', `${path}/downloads?model=added`)).status).toBe(204)
    expect((await owner.send('DELETE', `${path}/models?model=added`)).body).toEqual({ freedBytes: 10 })
    expect(device.modelRequests.map(({ type, by }) => `${type} ${by}`)).toEqual([
      'model-look-up adam',
      'model-fetch adam',
      'model-pause adam',
      'model-cancel olga',
      'model-remove olga',
    ])
    const entries = (await audit(10)).filter(({ action }) => action.startsWith('model.'))
    expect(entries.slice(0, 5).map(({ action, actor }) => `${action} ${actor.name}`)).toEqual([
      'model.delete olga',
      'model.forget olga',
      'model.cancel olga',
      'model.pause adam',
      'model.download adam',
    ])
  })

  it('accept requests again that a device blocks, if an admin asks for it, and the audit log says so', async () => {
    const { path, device } = await connect('blocker', () => ({}))
    const { admin, member } = people
    expect((await member.post(`${path}/models/unblock`, { model: 'crashes' })).status).toBe(403)
    expect((await admin.post(`${path}/models/unblock`, { model: 'crashes' })).status).toBe(204)
    expect(device.modelRequests).toMatchObject([{ type: 'model-unblock', model: 'crashes', by: 'adam' }])
    expect(await audit(1)).toMatchObject([
      { action: 'model.unblock', actor: { name: 'adam' }, object: { name: 'crashes' }, after: { device: 'blocker' } },
    ])
  })

  it('come from a local server of the machine, if an admin asks for it and the device allows it', async () => {
    const server = 'http://127.0.0.1:11434'
    const { path, device } = await connect('beside', ({ type, ...rest }) =>
      'server' in rest && rest.server === server ? {} : { problem: { code: 'not-found', message: `no ${type}` } },
    )
    const { admin, member } = people
    expect((await member.post(`${path}/servers`, { server })).status).toBe(403)
    expect((await admin.post(`${path}/servers`, { server })).status).toBe(204)
    expect(device.modelRequests).toMatchObject([{ type: 'server-add', server, by: 'adam' }])
    expect(await audit(1)).toMatchObject([
      { action: 'model.serve', object: { name: server }, after: { device: 'beside' } },
    ])
    expect((await admin.post(`${path}/servers`, { server: 'http://10.0.0.1' })).status).toBeGreaterThanOrEqual(400)
    expect(await audit(1)).toMatchObject([{ object: { name: server } }])
  })

  it('are downloaded from the address that was asked for, and the audit log has it without its secrets', async () => {
    const { path, device } = await connect('signed', () => ({ found: { ...found, name: 'signed' } }))
    const source = 'https://ann:secret@host/x.gguf?signature=secret'
    expect((await people.admin.post(`${path}/downloads`, { source, name: 'signed' })).status).toBe(200)
    expect(device.modelRequests).toMatchObject([{ type: 'model-fetch', source }])
    const entries = JSON.stringify(await audit(10))
    expect(entries).toContain('https://host/x.gguf')
    expect(entries).not.toContain('secret')
  })

  it('can be chosen from a list, with their sizes', async () => {
    const { body } = await people.member.get<{ models: { bytes: number }[] }>(inAcme('/known-models'))
    expect(body.models).toContainEqual(expect.objectContaining({ name: 'qwen3:8b', title: 'Qwen3 8B' }))
    const active = { name: 'gpt-oss:20b', parameters: 20.9, activeParameters: 3.6, isAllRounder: true }
    expect(body.models).toContainEqual(expect.objectContaining(active))
    expect(body.models).toEqual(body.models.toSorted((one, other) => one.bytes - other.bytes))
    expect(body.models.every(({ bytes }) => bytes > 0)).toBe(true)
  })

  it('say why a device cannot do it', async () => {
    const { device } = await world.enrolDevice(acme, 'away')
    const ask = (id: string) => people.admin.post(inAcme(`/devices/${id}/downloads`), { source: 'x', name: 'x' })
    const offline = await ask(device)
    expect([offline.status, Visitor.code(offline), messageOf(offline)]).toEqual([
      409,
      'device_refused',
      'away is offline. Start the device app there and try again.',
    ])
    const problem = { code: 'no-room', message: 'Not enough disk space', remedy: 'free up 2 GB' } as const
    const full = await connect('full', () => ({ problem }))
    expect(messageOf(await ask(full.id))).toBe('full: Not enough disk space. Free up 2 GB.')
    const old = await connect('old', () => ({}), null)
    expect(messageOf(await ask(old.id))).toBe('The app on old is too old for this. Run hearth-device update there.')
    expect((await ask('made-up')).status).toBe(404)
  })

  it('are searched for through a device, which says whether it reaches the hub', async () => {
    const hits = [{ source: 'hf:a/b', downloads: 3, license: 'mit' }]
    const there = await connect('searcher', () => ({ hits }))
    const source = 'some words'
    const answer = await people.admin.post(`${there.path}/models/look-up`, { source })
    expect(answer.body).toEqual({ found: null, hits })
    const problem = { code: 'unreachable', message: "Can't reach hub.example.com" } as const
    const { path } = await connect('cut off', () => ({ problem }))
    const refused = await people.admin.post(`${path}/models/look-up`, { source })
    expect([Visitor.code(refused), messageOf(refused)]).toEqual([
      'hub_unreachable',
      "cut off: Can't reach hub.example.com.",
    ])
  })

  it('accept requests once the first device has them', async () => {
    const { path, device } = await connect('fetcher', () => ({ found: { ...found, name: 'awaited' } }))
    expect((await download(path, 'awaited')).status).toBe(200)
    device.send({ type: 'downloads', downloads: [{ model: 'awaited', doneBytes: 1, state: 'paused', by: 'adam' }] })
    await shows(({ models }) => find(models, 'awaited')?.downloads.length === 1)
    expect(find((await list()).models, 'awaited')).toMatchObject({
      state: 'adding',
      downloads: [{ name: 'fetcher', state: 'paused', askedBy: 'adam', totalBytes: null }],
    })
    const { secret } = await makeKey(people.member)
    expect((await useKey(secret, '/models/awaited')).status).toBe(404)
    device.send({ type: 'models', models: [{ name: 'awaited', contextLength: 10, slots: 1, features: [] }] })
    device.send({ type: 'library', library: { ...library, models: [{ name: 'awaited', bytes: 10 }] } })
    await shows(({ models }) => find(models, 'awaited')?.state === 'enabled')
    // The list shows the store's state, and requests follow a moment later.
    const use = async () => (await useKey(secret, '/models/awaited')).status
    await expect.poll(use, { timeout: 20_000 }).toBe(200)
    await shows(({ models }) => find(models, 'awaited')?.copies.length === 1)
  })

  it('accept requests at once if a device served them before', async () => {
    const { path } = await connect('has it', () => ({ found: { ...found, name: 'there' } }), library, ['there'])
    expect((await download(path, 'there')).status).toBe(200)
    expect(find((await list()).models, 'there')).toMatchObject({ state: 'enabled' })
  })

  it('are added only under the name that the person confirmed', async () => {
    const { path } = await connect('liar', () => ({ found: { ...found, name: 'barred' } }))
    await disable('barred')
    const answer = await download(path, 'harmless')
    const { models } = await list()
    expect(find(models, 'barred')).toMatchObject({ state: 'disabled' })
    expect(find(models, 'harmless')).toBeUndefined()
    expect([answer.status, messageOf(answer)]).toEqual([
      409,
      'liar calls this model "barred", not "harmless". Look it up again to confirm its name.',
    ])
  })

  it('stay in the list while another device downloads them', async () => {
    const answer = () => ({ found: { ...found, name: 'twice' } })
    const [one, two] = [await connect('one', answer), await connect('two', answer)]
    const { admin } = people
    for (const { path } of [one, two]) await download(path, 'twice')
    two.device.send({ type: 'downloads', downloads: [{ model: 'twice', doneBytes: 0 }] })
    await shows(({ models }) => find(models, 'twice')?.downloads.length === 1)
    await admin.send('DELETE', `${one.path}/downloads?model=twice`)
    expect(find((await list()).models, 'twice')).toMatchObject({ state: 'adding' })
    await admin.send('DELETE', `${two.path}/downloads?model=twice`)
    expect(find((await list()).models, 'twice')).toBeUndefined()
  })

  function download(path: string, name: string) {
    return people.admin.post(`${path}/downloads`, { source: name, name })
  }

  type Answer = (request: ModelRequestFrame) => Omit<ModelReply, 'type' | 'request'>

  async function connect(name: string, answer: Answer, keeps: Library | null = library, models: string[] = []) {
    const { id, device } = await connectDevice(name, { models, onModelRequest: answer })
    if (keeps !== null) device.send({ type: 'library', library: keeps })
    await expect.poll(async () => isReady(id, keeps), { timeout: 20_000 }).toBe(true)
    return { id, device, path: inAcme(`/devices/${id}`) }
  }

  async function isReady(id: string, keeps: Library | null): Promise<boolean> {
    const { body } = await people.admin.get<{ devices: { id: string; state: string; library: unknown }[] }>(
      inAcme('/devices'),
    )
    const device = body.devices.find((candidate) => candidate.id === id)
    return device?.state === 'linked' && (device.library !== null) === (keeps !== null)
  }

  async function disable(name: string): Promise<void> {
    for (const state of ['enabled', 'disabled']) await putModel({ name, state })
  }

  async function list(): Promise<Shown> {
    return (await people.admin.get<Shown>(inAcme('/models'))).body
  }

  async function shows(condition: (shown: Shown) => boolean): Promise<void> {
    await expect.poll(async () => condition(await list()), { timeout: 20_000 }).toBe(true)
  }
})

function find(models: Shown['models'], name: string) {
  return models.find((model) => model.name === name)
}

function messageOf({ body }: { body: unknown }): string {
  return (body as { error: { message: string } }).error.message
}
