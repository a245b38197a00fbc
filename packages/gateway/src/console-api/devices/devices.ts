import { ApiError } from '@hearth/chat'
import { StoreError } from '../../store/database/store-error.ts'
import type { Counters } from '../../store/usage/usage-addition.ts'
import { changeIn, organizationOf, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/devices.ts'
import { show } from '../routes/show.ts'
import { settleChange } from '../guard/guard.ts'
import { findDevice, sumSlots, takeInventory, type DeviceEntry } from '../inventory/inventory.ts'
import { describeDownload, describeServed } from '../models/models.ts'
import type { SpeedHistory } from '../state/speeds.ts'

/** Few devices answer with more models in a day. */
const MOST_MODELS = 100

const COUNTERS = ['requests', 'errors', 'promptTokens', 'completionTokens', 'busyMs'] as const

type DayCounters = Pick<Counters, (typeof COUNTERS)[number]>

export function addDevices(app: ConsoleApp, parts: ConsoleParts): void {
  const { store, fleet, speeds } = parts

  app.openapi(routes.listDevices, async (context) => {
    const { devices } = await takeInventory(parts, organizationOf(context))
    return context.json({ devices: devices.map(showDevice) }, 200)
  })

  app.openapi(routes.listSpeeds, async (context) => {
    const { id } = await findDevice(parts, context)
    return context.json({ models: speeds.history(id).map(showHistory) }, 200)
  })

  app.openapi(routes.changeDevice, async (context) => {
    const change = { ...changeIn(context), ...context.req.valid('param'), ...context.req.valid('json') }
    return settleChange(parts, context, 'device', await store.changeDevice(change).catch(explainTakenName))
  })

  app.openapi(routes.removeDevice, async (context) => {
    const { device } = context.req.valid('param')
    return settleChange(parts, context, 'device', await store.removeDevice({ ...changeIn(context), device }))
  })

  app.openapi(routes.readDeviceDay, async (context) => {
    const { id: device } = await findDevice(parts, context)
    const organization = organizationOf(context)
    const now = new Date()
    const from = startOfDay(now)
    const sums = await store.sumUsage({ organization, device, from, to: now, by: 'model' })
    const takeOvers = await store.countTakeOvers({ organization, device, from })
    const { devices } = await fleet.view(organization)
    return context.json(
      {
        since: from.toISOString(),
        total: sums.reduce<DayCounters>(addUp, NOTHING),
        models: sums.slice(0, MOST_MODELS).map((sum) => ({ name: sum.name, ...addUp(NOTHING, sum) })),
        takeOvers,
        energy: devices.find(({ id }) => id === device)?.energy ?? null,
      },
      200,
    )
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

const NOTHING: DayCounters = { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, busyMs: 0 }

function addUp(one: DayCounters, other: DayCounters): DayCounters {
  const sum = { ...NOTHING }
  for (const name of COUNTERS) sum[name] = one[name] + other[name]
  return sum
}

function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
}
