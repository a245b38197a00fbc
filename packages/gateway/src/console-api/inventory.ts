// Devices and models of an organization as they are at this moment: what is remembered, joined with what is linked and what is running.

import { FEATURES, type DeviceModel, type Download, type Feature } from '@hearth/protocol'
import type { DeviceLink } from '../hub/device-link.ts'
import type { SchedulerStats } from '../scheduler/core/stats.ts'
import type { Device, Model } from '../store/store.ts'
import { isOlder } from './app-version.ts'
import type { Console } from './console.ts'

export interface Inventory {
  devices: DeviceEntry[]
  models: ModelEntry[]
  load: { running: number; queued: number; slots: number }
}

export interface DeviceEntry extends Device {
  state: 'linked' | 'draining' | 'offline'
  engine: string | undefined
  isOutdated: boolean
  models: ServedEntry[]
  downloads: readonly Download[]
}

export interface ServedEntry extends DeviceModel {
  isEnabled: boolean
  running: number
  missingFeatures: Feature[]
  tokensPerSecond: number | null
}

export interface ModelEntry {
  name: string
  state: 'enabled' | 'disabled' | 'offered'
  model: Model | undefined
  queued: number
  devices: { device: DeviceEntry; served: ServedEntry }[]
}

export async function takeInventory(console: Console, organization: string): Promise<Inventory> {
  const { store, hub, scheduler } = console
  const [known, models] = await Promise.all([store.listDevices(organization), store.listModels(organization)])
  const links = new Map(hub.linksOf(organization).map((link) => [link.identity.id, link]))
  const load = readLoad(scheduler.core.stats(performance.now()), organization)
  const enabled = new Set(models.filter(({ state }) => state === 'enabled').map(({ name }) => name))
  const devices = known.map((device) => describeDevice(console, device, links.get(device.id), enabled, load))
  return { devices, models: listModels(models, devices, load), load: sumLoad(devices, load) }
}

interface Load {
  /** By device and model. */
  running: ReadonlyMap<string, number>
  queued: ReadonlyMap<string, number>
}

function readLoad({ served, queues }: SchedulerStats, organization: string): Load {
  const isOwn = (of: { organization: string }) => of.organization === organization
  return {
    running: new Map(served.filter(isOwn).map(({ device, model, leases }) => [`${device}\n${model}`, leases])),
    queued: new Map(queues.filter(isOwn).map(({ model, queued }) => [model, queued])),
  }
}

function describeDevice(
  { speeds }: Console,
  device: Device,
  link: DeviceLink | undefined,
  enabled: ReadonlySet<string>,
  { running }: Load,
): DeviceEntry {
  const state = link?.state
  if (state?.name !== 'serving' && state?.name !== 'draining')
    return {
      ...device,
      state: 'offline',
      engine: undefined,
      isOutdated: isOlder(device.app),
      models: [],
      downloads: [],
    }
  const { app, engine, models } = state.hello
  const isOutdated = isOlder(app)
  return {
    ...device,
    state: state.name === 'serving' ? 'linked' : 'draining',
    app,
    engine,
    isOutdated,
    lastSeenAt: new Date(),
    downloads: link?.downloads ?? [],
    models: models.map((model) => ({
      ...model,
      isEnabled: enabled.has(model.name),
      running: running.get(`${device.id}\n${model.name}`) ?? 0,
      // An app that is up to date lacks what its engine cannot do: no update brings that.
      missingFeatures: isOutdated ? FEATURES.filter((feature) => !model.features.includes(feature)) : [],
      tokensPerSecond: speeds.of(device.id, model.name),
    })),
  }
}

function listModels(models: readonly Model[], devices: readonly DeviceEntry[], { queued }: Load): ModelEntry[] {
  const entries = new Map<string, ModelEntry>()
  const entryOf = (name: string, model?: Model): ModelEntry => {
    const state = model?.state === 'enabled' || model?.state === 'disabled' ? model.state : 'offered'
    const entry = entries.get(name) ?? { name, state, model, queued: queued.get(name) ?? 0, devices: [] }
    entries.set(name, entry)
    return entry
  }
  for (const model of models) entryOf(model.name, model)
  for (const device of devices)
    for (const served of device.models) entryOf(served.name).devices.push({ device, served })
  return [...entries.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

function sumLoad(devices: readonly DeviceEntry[], { queued }: Load): Inventory['load'] {
  const served = devices.flatMap(({ models }) => models)
  return {
    running: served.reduce((sum, { running }) => sum + running, 0),
    slots: served.reduce((sum, { slots }) => sum + slots, 0),
    queued: [...queued.values()].reduce((sum, count) => sum + count, 0),
  }
}
