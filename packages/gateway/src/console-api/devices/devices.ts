import { ApiError } from '@hearth/chat'
import { StoreError } from '../../store/database/store-error.ts'
import { actorOf, organizationOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/devices.ts'
import { showMachine } from '../inventory/show-machine.ts'
import { notFound } from '../guard/guard.ts'
import { takeInventory, type DeviceEntry, type ServedEntry } from '../inventory/inventory.ts'
import { showDownload } from '../models/models.ts'
import type { SpeedHistory } from '../state/speeds.ts'

export function addDevices(app: ConsoleApp, parts: ConsoleParts): void {
  const { store, speeds } = parts

  app.openapi(routes.listDevices, async (context) => {
    const { devices } = await takeInventory(parts, organizationOf(context))
    return context.json({ devices: devices.map(showDevice) }, 200)
  })

  app.openapi(routes.listSpeeds, async (context) => {
    const { device } = context.req.valid('param')
    const known = await store.listDevices(organizationOf(context))
    if (!known.some(({ id }) => id === device)) throw notFound('device')
    return context.json({ models: speeds.history(device).map(showHistory) }, 200)
  })

  app.openapi(routes.changeDevice, async (context) => {
    const { name, isPaused } = context.req.valid('json')
    const change = {
      organization: organizationOf(context),
      device: context.req.valid('param').device,
      ...(name !== undefined && { name }),
      ...(isPaused !== undefined && { isPaused }),
      by: actorOf(context),
    }
    const isDone = await store.changeDevice(change).catch(explainTakenName)
    if (!isDone) throw notFound('device')
    await takeEffect(parts)
    return context.body(null, 204)
  })

  app.openapi(routes.removeDevice, async (context) => {
    const { device } = context.req.valid('param')
    const isDone = await store.removeDevice({ organization: organizationOf(context), device, by: actorOf(context) })
    if (!isDone) throw notFound('device')
    await takeEffect(parts)
    return context.body(null, 204)
  })
}

function explainTakenName(error: unknown): never {
  if (!(error instanceof StoreError) || error.code !== 'conflict') throw error
  throw new ApiError('conflict', 'Another device has this name. Choose a different one.', 'name')
}

function showDevice({ id, name, state, isPaused, isOutdated, models, ...device }: DeviceEntry) {
  const speeds = models.flatMap(({ tokensPerSecond }) => tokensPerSecond ?? [])
  return {
    id,
    name,
    state,
    isPaused,
    createdAt: device.createdAt.toISOString(),
    addedBy: device.addedByName ?? null,
    lastSeenAt: device.lastSeenAt?.toISOString() ?? null,
    app: device.app ?? null,
    isOutdated,
    engine: device.engine ?? null,
    slots: models.reduce((sum, { slots }) => sum + slots, 0),
    running: models.reduce((sum, { running }) => sum + running, 0),
    tokensPerSecond: speeds.length === 0 ? null : Math.max(...speeds),
    models: models.map(showServed),
    downloads: device.downloads.map(showDownload),
    library: showLibrary(device),
    backend: showBackend(device),
    rest: device.rest ? { reason: device.rest.reason, until: device.rest.until ?? null } : null,
    latencyMs: device.latencyMs === undefined ? null : Math.round(device.latencyMs),
    machine: device.machine ? showMachine(device.machine) : null,
    address: device.address ?? null,
    conflict: device.conflict ? { address: device.conflict.address, at: device.conflict.at.toISOString() } : null,
  }
}

function showLibrary({ library }: Pick<DeviceEntry, 'library'>) {
  if (library === undefined) return null
  const { isOpen, why = null, diskFreeBytes, memoryBytes, models } = library
  return { isOpen, why, diskFreeBytes, memoryBytes, models: models.map(({ name, bytes }) => ({ name, bytes })) }
}

function showBackend({ backend }: Pick<DeviceEntry, 'backend'>) {
  if (backend === undefined) return null
  const { name, card, driver, problems } = backend
  return { name, card: card ?? null, driver: driver ?? null, problems }
}

function showHistory({ model, measured }: SpeedHistory) {
  const points = measured.map(({ at, tokensPerSecond }) => ({ at: new Date(at).toISOString(), tokensPerSecond }))
  return { name: model, points }
}

function showServed({ name, isEnabled, contextLength, slots, running, ...served }: ServedEntry) {
  const {
    features,
    missingFeatures,
    tokensPerSecond,
    sizing = null,
    state: presence = 'loaded',
    blockedRequests = 0,
  } = served
  return {
    name,
    isEnabled,
    contextLength,
    slots,
    running,
    features,
    missingFeatures,
    tokensPerSecond,
    sizing,
    presence,
    blockedRequests,
  }
}
