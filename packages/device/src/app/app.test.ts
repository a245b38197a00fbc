import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it, onTestFinished } from 'vitest'
import { fingerprintOf } from '@hearth/sealing'
import type { Meter } from '../energy/meter.ts'
import type { ModelEntry } from '../models/registry/registry.ts'
import { loadRegistry, saveRegistry } from '../models/registry/registry.ts'
import type { DeviceNews } from '../news.ts'
import { readSettings } from '../settings/read-settings.ts'
import type { Settings } from '../settings/settings.ts'
import type { SleepListener } from '../owner/sleep-listener.ts'
import { writeControl } from '../state/control-file.ts'
import { saveCredential } from '../state/credential.ts'
import { stateFolder } from '../state/folder.ts'
import { openSealKey } from '../state/seal-key.ts'
import { readLastUses } from '../state/last-uses.ts'
import { readStatus } from '../state/status-file.ts'
import type { RunCommand } from '../system/run-command.ts'
import { createEchoEngine, ECHO_MODEL, untilAborted, type EchoOptions } from '../testing/echo-engine.ts'
import { createFakeGateway, jobStart } from '../testing/fake-gateway.ts'
import { createManualClock } from '../testing/manual-clock.ts'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { App } from './app.ts'

const login = {
  gateway: 'https://hearth.example.com',
  device: 'device-1',
  organization: 'organization-1',
  name: 'studio',
  credential: 'secret',
}
const entry: ModelEntry = { name: 'echo', path: '/models/echo.gguf', source: 'echo', bytes: 1 }
const nothing: RunCommand = () => Promise.resolve({ code: undefined, stdout: '', stderr: '' })
const away = (() => Promise.reject(new TypeError('fetch failed'))) as typeof fetch

async function begin(
  parts: {
    settings?: Partial<Settings>
    isEmpty?: boolean
    engine?: EchoOptions
    run?: RunCommand
    meters?: readonly Meter[]
    /** The content of the file with the key for sealed requests. */
    sealKey?: string
  } = {},
) {
  const state = stateFolder(join(scratchFolder(), 'home'))
  saveCredential(state.credential, login)
  if (parts.sealKey !== undefined) writeFileSync(state.sealKey, parts.sealKey)
  if (parts.isEmpty !== true) saveRegistry(state.registry, [entry])
  const gateway = createFakeGateway()
  const clock = createManualClock(new Date())
  const news: DeviceNews[] = []
  const noticed = Promise.withResolvers<void>()
  const sleep = { listener: undefined as SleepListener | undefined, released: 0 }
  const app = new App({
    state,
    about: { model: 'ThinkPad X1' },
    settings: { ...readSettings({ flags: {}, environment: {} }).settings, findServers: [], ...parts.settings },
    onNews: (item) => {
      news.push(item)
      if (item.type === 'pull' && item.news.type === 'notice') noticed.resolve()
    },
    world: {
      clock,
      dial: gateway.dial,
      random: () => 0.5,
      run: parts.run ?? nothing,
      downloads: { fetch: away, retryMs: [] },
      machine: { platform: 'darwin', arch: 'x64' },
      environment: {},
      createEngine: ({ name }) => createEchoEngine({ models: [{ ...ECHO_MODEL, name }], ...parts.engine }),
      meters: parts.meters ?? [],
      startAwakeProcess: () => undefined,
      watchSleep: (listener) => {
        sleep.listener = listener
        return { letSleep: () => (sleep.released += 1), stop: () => {} }
      },
    },
  })
  onTestFinished(() => app.stop())
  await clock.advance(0)
  await gateway.last.welcome()
  await clock.advance(0)
  const announced = () =>
    gateway.last.frames
      .flatMap((frame) => (frame.type === 'models' ? [frame.models.map(({ name }) => name)] : []))
      .at(-1)
  return { app, state, gateway, clock, news, announced, sleep, noticed: noticed.promise }
}

function libraryOf({ last }: ReturnType<typeof createFakeGateway>) {
  return last.frames.flatMap((frame) => (frame.type === 'library' ? [frame.library] : [])).at(-1)
}

describe('the running app', () => {
  it('follows changes to the list of models without a restart', async () => {
    const { state, clock, announced } = await begin()
    expect(announced()).toEqual(['echo'])
    saveRegistry(state.registry, [entry, { ...entry, name: 'second' }])
    await clock.advance(1_000)
    expect(announced()).toEqual(['echo', 'second'])
    saveRegistry(state.registry, [{ ...entry, name: 'second' }])
    await clock.advance(1_000)
    expect(announced()).toEqual(['second'])
  })

  it('announces the key for sealed requests, and shows its fingerprint to its owner', async () => {
    const { gateway, app, state, announced } = await begin()
    const { publicKey } = openSealKey(state.sealKey)
    expect(gateway.last.frames[0]).toMatchObject({ type: 'hello', sealKey: publicKey })
    expect(announced()).toEqual(['echo'])
    expect(app.device.models()[0]?.features).toContain('sealed')
    expect(app.status().seal).toEqual({ fingerprint: fingerprintOf(publicKey) })
  })

  it.each([
    ['its key is damaged', { sealKey: '{' }, 'the file is damaged', [/This device takes no sealed requests/]],
    ['its owner turned them off', { settings: { withoutFeatures: ['sealed' as const] } }, 'turned them off', []],
  ])('serves without sealed requests if %s, and says so', async (_, parts, problem, notices) => {
    const { gateway, app, announced, news } = await begin(parts)
    expect(announced()).toEqual(['echo'])
    expect(gateway.last.frames[0]).not.toHaveProperty('sealKey')
    expect(app.device.models()[0]?.features).not.toContain('sealed')
    expect(app.status().seal).toEqual({ problem: expect.stringContaining(problem) })
    const said = news.flatMap((item) => (item.type === 'notice' ? [item.text] : []))
    expect(said).toEqual(notices.map((notice) => expect.stringMatching(notice)))
  })

  it('keeps serving if the list of models is damaged, and says so', async () => {
    const { state, clock, announced, news } = await begin()
    writeFileSync(state.registry, '{')
    await clock.advance(1_000)
    expect(announced()).toEqual(['echo'])
    expect(news).toContainEqual({ type: 'notice', text: expect.stringContaining('damaged') })
  })

  it('pauses and resumes by the control file, and unloads its models meanwhile', async () => {
    const { app, state, clock, announced } = await begin()
    writeControl(state.control, { isPaused: true, stopsJobs: false })
    await clock.advance(2_000)
    expect(announced()).toEqual([])
    expect(readStatus(state.status, clock.date())).toMatchObject({ permission: { allowed: false }, models: [] })
    writeControl(state.control, { isPaused: false, stopsJobs: false })
    await clock.advance(1_000)
    expect(announced()).toEqual(['echo'])
    expect(app.device.models()).toHaveLength(1)
  })

  it('returns running jobs when the owner pauses with --now', async () => {
    const { state, gateway, clock } = await begin({
      engine: { before: untilAborted },
    })
    await gateway.last.say(jobStart())
    writeControl(state.control, { isPaused: true, stopsJobs: true })
    await clock.advance(1_000)
    expect(gateway.last.frames).toContainEqual(expect.objectContaining({ type: 'job-error', retryable: true }))
  })

  it('hands running jobs over before the machine sleeps, keeps its models, and serves again after it', async () => {
    const { app, gateway, clock, announced, sleep } = await begin({
      engine: { before: untilAborted },
    })
    await gateway.last.say(jobStart())
    sleep.listener?.onSleep()
    await clock.advance(0)
    expect(announced()).toEqual([])
    expect(gateway.last.frames).toContainEqual(expect.objectContaining({ type: 'job-hand-over', job: 'j' }))
    expect(sleep.released).toBe(0)
    await gateway.last.say({ type: 'job-cancel', job: 'j', attempt: 0, reason: 'superseded' })
    await clock.advance(0)
    expect(sleep.released).toBe(1)
    expect(app.status()).toMatchObject({ models: [{ name: 'echo', state: 'serving' }], jobs: { handedOver: 1 } })
    sleep.listener?.onWake()
    await clock.advance(0)
    expect(announced()).toEqual(['echo'])
  })

  it('lets the machine sleep at once if no job runs', async () => {
    const { clock, sleep } = await begin()
    sleep.listener?.onSleep()
    await clock.advance(0)
    expect(sleep.released).toBe(1)
  })

  it('notes when a model gets a job', async () => {
    const { state, gateway, clock } = await begin()
    expect(readLastUses(state.lastUses).size).toBe(0)
    await gateway.last.say(jobStart())
    await clock.advance(0)
    expect([...readLastUses(state.lastUses).keys()]).toEqual(['echo'])
  })

  it('reports the electricity that the machine takes', async () => {
    const gpu: Meter = { part: 'gpu', read: () => Promise.resolve({ kind: 'power', watts: 360 }) }
    const { gateway, clock } = await begin({ meters: [gpu] })
    const energy = () => gateway.last.frames.flatMap((frame) => (frame.type === 'energy' ? [frame.energy] : []))
    expect(energy()).toEqual([{ parts: ['gpu'], watts: 360, wattHoursToday: 0 }])
    await clock.advance(10_000)
    expect(energy().at(-1)).toEqual({ parts: ['gpu'], watts: 360, wattHoursToday: 1 })
  })

  it('does not serve on battery with --only-on-mains, and comes back by itself', async () => {
    let power = "'Battery Power'"
    const run: RunCommand = (command) =>
      Promise.resolve({ code: command === 'pmset' ? 0 : undefined, stdout: power, stderr: '' })
    const { app, clock, announced } = await begin({ settings: { onlyOnMains: true }, run })
    expect(app.device.models()).toEqual([])
    power = "'AC Power'"
    await clock.advance(16_000)
    expect(announced()).toEqual(['echo'])
  })

  it('keeps a status file while it runs, and removes it', async () => {
    const { app, state, clock } = await begin()
    await clock.advance(1_000)
    expect(readStatus(state.status, clock.date())).toMatchObject({
      pid: process.pid,
      name: 'studio',
      link: { name: 'linked' },
      permission: { allowed: true },
      models: [{ name: 'echo', state: 'serving', slots: 2, busy: 0 }],
      jobs: { running: 0, answered: 0 },
    })
    expect(readStatus(state.status, new Date(clock.date().getTime() + 60_000))).toBeUndefined()
    await app.stop()
    expect(existsSync(state.status)).toBe(false)
  })

  it('reconnects right away after a new login', async () => {
    const { state, gateway, clock } = await begin()
    await gateway.last.close(4401)
    saveCredential(state.credential, { ...login, credential: 'second' })
    await clock.advance(1_000)
    expect(gateway.last.request.credential).toBe('second')
  })

  it('tells the gateway what is on its disk, and changes nothing without permission', async () => {
    const { gateway, state } = await begin()
    expect(libraryOf(gateway)).toMatchObject({ isOpen: false, models: [{ name: 'echo', bytes: 1 }] })
    await gateway.last.say({ type: 'model-remove', request: 'r', model: 'echo', by: 'Ada' })
    expect(gateway.last.frames.at(-1)).toMatchObject({ request: 'r', problem: { code: 'not-allowed' } })
    expect(loadRegistry(state.registry)).toHaveLength(1)
  })

  it('downloads the starter model if there is no other', async () => {
    const { state, clock, announced, noticed } = await begin({ settings: { starter: true }, isEmpty: true })
    await noticed
    await clock.advance(1_000)
    expect(loadRegistry(state.registry)).toMatchObject([{ name: 'hearth-tiny' }])
    // Neither the hub nor pip can be reached in this test.
    expect(announced()).toEqual(['hearth-tiny'])
  })
})
