import { ApiError } from '@hearth/chat'
import { StoreError } from '../../store/database/store-error.ts'
import { actorOf, organizationOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/devices.ts'
import { show } from '../routes/show.ts'
import { notFound } from '../guard/guard.ts'
import { sumSlots, takeInventory, type DeviceEntry } from '../inventory/inventory.ts'
import { describeDownload, describeServed } from '../models/models.ts'
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
    const choice = { organization: organizationOf(context), device: context.req.valid('param').device }
    const change = { ...choice, ...context.req.valid('json'), by: actorOf(context) }
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

function showDevice(device: DeviceEntry) {
  const { models, latencyMs } = device
  const speeds = models.flatMap(({ tokensPerSecond }) => tokensPerSecond ?? [])
  return show(routes.device, {
    ...device,
    addedBy: device.addedByName,
    ...sumSlots(models),
    tokensPerSecond: speeds.length === 0 ? null : Math.max(...speeds),
    models: models.map((model) => ({ ...describeServed(model), blockedRequests: model.blockedRequests ?? 0 })),
    downloads: device.downloads.map(describeDownload),
    latencyMs: latencyMs === undefined ? null : Math.round(latencyMs),
  })
}

function showHistory({ model, measured }: SpeedHistory) {
  const points = measured.map(({ at, tokensPerSecond }) => ({ at: new Date(at).toISOString(), tokensPerSecond }))
  return { name: model, points }
}
