// Devices and models of an organization right now: the store's records joined with the fleet's view.

import { FEATURES, type DeviceModel, type Download, type Feature, type KeptModel } from '@hearth/protocol'
import type { FleetDevice, FleetView } from '../../fleet/fleet.ts'
import type { Device } from '../../store/devices/device-rows.ts'
import type { Model } from '../../store/models.ts'
import { isOlder } from '../../own-version.ts'
import { organizationOf, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import type { Speeds } from '../state/speeds.ts'

export interface Inventory {
  devices: DeviceEntry[]
  models: ModelEntry[]
  load: { running: number; queued: number; slots: number }
}

/** A device that is offline has only what the store knows. */
export interface DeviceEntry extends Device, Partial<Omit<FleetDevice, keyof Device | 'state' | 'models'>> {
  state: FleetDevice['state'] | 'offline'
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
  state: 'enabled' | 'disabled' | 'adding' | 'offered'
  model: Model | undefined
  queued: number
  devices: { device: DeviceEntry; served: ServedEntry }[]
  downloads: { device: DeviceEntry; download: Download }[]
  /** Files on devices that are connected. */
  copies: { device: DeviceEntry; kept: KeptModel }[]
}

/** The device that the path names. */
export async function deviceOfPath({ store }: ConsoleParts, context: ConsoleContext): Promise<Device> {
  const id = context.req.param('device')
  const device = (await store.listDevices(organizationOf(context))).find((candidate) => candidate.id === id)
  if (device === undefined) throw notFound('device')
  return device
}

export async function takeInventory(parts: ConsoleParts, organization: string): Promise<Inventory> {
  const { store, fleet, speeds } = parts
  const [known, models] = await Promise.all([store.listDevices(organization), store.listModels(organization)])
  const { devices: linked, queued } = await fleet.view(organization)
  const enabled = new Set(models.filter(({ state }) => state === 'enabled').map(({ name }) => name))
  const byId = new Map(linked.map((device) => [device.id, device]))
  const devices = known.map((device) => {
    const found = byId.get(device.id)
    if (found) return describeLinked(device, found, enabled, speeds)
    return { ...device, state: 'offline' as const, isOutdated: isOlder(device.app), models: [], downloads: [] }
  })
  return { devices, models: listModels(models, devices, queued), load: sumLoad(devices, queued) }
}

function describeLinked(
  device: Device,
  { models, machine = device.machine, ...linked }: FleetDevice,
  enabled: ReadonlySet<string>,
  speeds: Speeds,
): DeviceEntry {
  const isOutdated = isOlder(linked.app)
  return {
    ...device,
    ...linked,
    ...(machine && { machine }),
    isOutdated,
    lastSeenAt: new Date(),
    models: models.map((model) => ({
      ...model,
      isEnabled: enabled.has(model.name),
      // If the app is up to date, its engine lacks the features: no update would bring them.
      missingFeatures: isOutdated ? FEATURES.filter((feature) => !model.features.includes(feature)) : [],
      tokensPerSecond: speeds.of(device.id, model.name),
    })),
  }
}

function listModels(
  models: readonly Model[],
  devices: readonly DeviceEntry[],
  queued: FleetView['queued'],
): ModelEntry[] {
  const entries = new Map<string, ModelEntry>()
  const entryOf = (name: string, model?: Model): ModelEntry => {
    const state = model === undefined || model.state === 'removed' ? 'offered' : model.state
    const nothing = { devices: [], downloads: [], copies: [] }
    const entry = entries.get(name) ?? { name, state, model, queued: queued.get(name) ?? 0, ...nothing }
    entries.set(name, entry)
    return entry
  }
  for (const model of models) entryOf(model.name, model)
  for (const device of devices)
    for (const served of device.models) entryOf(served.name).devices.push({ device, served })
  for (const device of devices) addFiles(device, entries)
  return [...entries.values()].toSorted((one, other) => (one.name < other.name ? -1 : 1))
}

/** A download, or a file that can't be served, makes no entry of its own: nobody can ask for the model yet. */
function addFiles(device: DeviceEntry, entries: ReadonlyMap<string, ModelEntry>): void {
  for (const download of device.downloads) entries.get(download.model)?.downloads.push({ device, download })
  for (const kept of device.library?.models ?? []) entries.get(kept.name)?.copies.push({ device, kept })
}

function sumLoad(devices: readonly DeviceEntry[], queued: FleetView['queued']): Inventory['load'] {
  const waiting = [...queued.values()].reduce((sum, count) => sum + count, 0)
  return { ...sumSlots(devices.flatMap(({ models }) => models)), queued: waiting }
}

export function sumSlots(served: readonly ServedEntry[]): { slots: number; running: number } {
  return {
    slots: served.reduce((sum, { slots }) => sum + slots, 0),
    running: served.reduce((sum, { running }) => sum + running, 0),
  }
}
