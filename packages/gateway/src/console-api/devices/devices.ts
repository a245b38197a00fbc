// Devices of an organization, with their state and load.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { StoreError } from '../../store/database/store-error.ts'
import { changeIn, organizationOf } from '../console.ts'
import { settleChange } from '../guard/guard.ts'
import { deviceOfPath, sumSlots, takeInventory, type DeviceEntry } from '../inventory/inventory.ts'
import { describeDownload, describeServed, download, feature, presence, sizing } from '../models/models.ts'
import { body, routesOf, json } from '../routes/route.ts'
import { count, dateTime, id, name, object } from '../routes/shapes.ts'
import type { SpeedHistory } from '../state/speeds.ts'
import { addUp } from '../usage/usage.ts'

/** Few devices answer with more models in a day. */
const MOST_MODELS = 100

const route = routesOf('Devices')

const deviceModel = object('DeviceModel', {
  name: z.string(),
  isEnabled: z.boolean(),
  contextLength: count,
  slots: count,
  running: count,
  features: z.array(feature),
  missingFeatures: z.array(feature).describe('Features that an update of the device app would add'),
  tokensPerSecond: z.number().nullable(),
  sizing: sizing.nullable().describe("Null if the device's app doesn't say"),
  presence,
  blockedRequests: count.describe(
    'Requests that the device rejects for a while, because its engine crashed on each of them several times',
  ),
})

const library = object('Library', 'The models on the disk of a device, and its room for more', {
  isOpen: z.boolean().describe('True if administrators may add and remove models'),
  why: z.string().nullable().describe('Why not, and what to do about it'),
  diskFreeBytes: count,
  memoryBytes: count.describe('The largest model that it can run'),
  models: z.array(z.object({ name: z.string(), bytes: count })),
  servers: z
    .array(
      z.object({
        url: z.string().describe('Its address on the machine'),
        name: z.string().openapi({ example: 'Ollama' }),
        models: count.describe('How many it lists'),
        isServed: z.boolean(),
      }),
    )
    .nullable()
    .describe(
      "Local servers that run on the machine; null if its owner doesn't want them found, or its app is too old",
    ),
  files: z
    .array(
      z.object({
        name: z.string(),
        source: z.string().describe('Asks for it like a download, which it needs none of'),
        bytes: count,
        quant: z.string().nullable(),
        keptBy: z.string().openapi({ example: 'Ollama' }),
      }),
    )
    .nullable()
    .describe('Model files that other programs keep on the machine; null if its app is too old'),
})

const backend = z
  .object({
    name: z.string().describe('`cuda-built`, `cuda`, `cuda12`, `vulkan`, `metal`, `cpu`, or a name that came later'),
    card: z.string().nullable().describe('The graphics card'),
    driver: z.string().nullable(),
    problems: z
      .array(z.object({ name: z.string(), why: z.string(), remedy: z.string() }))
      .describe("Better back ends that don't work on the device, with the reason and the remedy"),
  })
  .nullable()
  .describe("Where the device's models compute; null if it is offline, has loaded no model, or its app doesn't say")

export const machine = object('Machine', 'The machine, as it describes itself; nothing here is verified', {
  model: z.string().nullable().openapi({ example: 'ThinkPad X1 Carbon Gen 11' }),
  system: z
    .string()
    .nullable()
    .openapi({ description: 'The operating system with its version', example: 'Ubuntu 24.04' }),
  processor: z.string().nullable(),
  cores: count.nullable().describe('Logical cores'),
  memoryBytes: count.nullable(),
  gpu: z.string().nullable().describe('The graphics card'),
  gpuMemoryBytes: count.nullable(),
})

const conflict = z.object({ address: z.string(), at: dateTime }).openapi('DeviceConflict', {
  description: "Another machine that was rejected because it uses this device's credential, and when it tried last",
})

const rest = object(
  'DeviceRest',
  'Why a connected device takes no jobs for now: its owner paused it, it is outside its hours, on battery, or going to sleep',
  {
    reason: z.enum(['paused', 'hours', 'battery', 'sleep', 'other']),
    until: z.string().nullable().openapi({ description: 'The time of day on the device', example: '18:00' }),
  },
)

const device = object('Device', {
  id,
  name: z.string(),
  state: z.enum(['linked', 'draining', 'offline']),
  isPaused: z.boolean().describe('A paused device stays online and gets no new jobs'),
  createdAt: dateTime,
  addedBy: z.string().nullable().describe('Who approved it, or created the command it joined with'),
  lastSeenAt: dateTime.nullable().describe('Null if it never connected; the current time while it is online'),
  app: z.string().nullable().describe('Version of the device app'),
  isOutdated: z.boolean().describe('True if a newer version of the device app exists'),
  engine: z.string().nullable(),
  slots: count,
  running: count,
  tokensPerSecond: z.number().nullable(),
  models: z.array(deviceModel),
  downloads: z.array(download),
  library: library.nullable().describe('Null if it is offline or its app is too old'),
  backend,
  rest: rest.nullable(),
  machine: machine.nullable().describe("Null if the device's app is too old to say"),
  address: z.string().nullable().describe('The network address that it last connected from'),
  conflict: conflict.nullable(),
  latencyMs: z
    .number()
    .nullable()
    .describe('How long a message takes to the device and back; null while it is not known'),
})

const speedHistory = object('SpeedHistory', 'How fast a device answered with a model, oldest answer first', {
  name: z.string(),
  points: z.array(z.object({ at: dateTime, tokensPerSecond: z.number() })),
})

export const listDevices = route('get', '/organizations/{organization}/devices', {
  access: 'devices.read',
  summary: 'List all devices by name',
  responses: json('The devices', z.object({ devices: z.array(device) })),
  async handle(parts, context) {
    const { devices } = await takeInventory(parts, organizationOf(context))
    return { devices: devices.map(describeDevice) }
  },
})

export const listSpeeds = route('get', '/organizations/{organization}/devices/{device}/speeds', {
  access: 'devices.read',
  summary: 'List how fast a device answered, by model. The gateway keeps the last 40 answers of each in memory',
  responses: json('The speeds', z.object({ models: z.array(speedHistory) })),
  async handle(parts, context) {
    const { id: device } = await deviceOfPath(parts, context)
    return { models: parts.speeds.history(device).map(describeHistory) }
  },
})

export const changeDevice = route('patch', '/organizations/{organization}/devices/{device}', {
  access: 'devices.change',
  summary: 'Rename, pause or resume a device. A paused device finishes its running jobs',
  request: body(z.strictObject({ name: name.optional(), isPaused: z.boolean().optional() })),
  async handle(parts, context, { device, name: wanted, isPaused }) {
    const change = { ...changeIn(context), device, name: wanted, isPaused }
    await settleChange(parts, 'device', await parts.store.changeDevice(change).catch(explainTakenName))
  },
})

export const removeDevice = route('delete', '/organizations/{organization}/devices/{device}', {
  access: 'devices.change',
  summary: 'Remove a device. It is disconnected and its credential stops working',
  async handle(parts, context, { device }) {
    await settleChange(parts, 'device', await parts.store.removeDevice({ ...changeIn(context), device }))
  },
})

/** What a device did today, and the electricity that it takes. */
const counters = {
  requests: count,
  errors: count,
  promptTokens: count,
  completionTokens: count,
  busyMs: count.describe('Total time that it spent on requests. Several at once count several times'),
}

const energy = object(
  'DeviceEnergy',
  'The electricity that the machine takes, as it says itself. Null if it is offline, or measures nothing',
  {
    parts: z.array(z.enum(['processor', 'gpu'])).describe('The parts that the machine measures'),
    watts: z.number().describe('Right now'),
    wattHoursToday: z.number().describe('Since midnight UTC, while the device app ran'),
  },
)

const day = object('DeviceDay', {
  since: dateTime.describe('Midnight UTC'),
  total: z.object(counters),
  models: z.array(z.object({ name: z.string(), ...counters })).describe('Most requests first, at most 100'),
  takeOvers: z.object({
    continued: count.describe('Replies of other devices that it continued'),
    handedOn: count.describe('Its own that other devices continued'),
  }),
  energy: energy.nullable(),
})

export const readDeviceDay = route('get', '/organizations/{organization}/devices/{device}/today', {
  access: 'devices.read',
  summary: 'Get what a device did today, for all keys together, and the electricity that it takes',
  responses: json('The day of the device', day),
  async handle(parts, context) {
    const { id: device } = await deviceOfPath(parts, context)
    const organization = organizationOf(context)
    const now = new Date()
    const from = startOfDay(now)
    const sums = await parts.store.sumUsage({ organization, device, from, to: now, by: 'model' })
    const takeOvers = await parts.store.countTakeOvers({ organization, device, from })
    const { devices } = await parts.fleet.view(organization)
    return {
      since: from,
      total: addUp(sums),
      models: sums.slice(0, MOST_MODELS),
      takeOvers,
      energy: devices.find(({ id: one }) => one === device)?.energy,
    }
  },
})

function explainTakenName(error: unknown): never {
  if (!(error instanceof StoreError) || error.code !== 'conflict') throw error
  throw new ApiError('conflict', 'Another device has this name. Choose a different one.', 'name')
}

function describeDevice(entry: DeviceEntry) {
  const { models, latencyMs } = entry
  const speeds = models.flatMap(({ tokensPerSecond }) => tokensPerSecond ?? [])
  return {
    ...entry,
    addedBy: entry.addedByName,
    ...sumSlots(models),
    tokensPerSecond: speeds.length === 0 ? null : Math.max(...speeds),
    models: models.map((model) => ({ ...describeServed(model), blockedRequests: model.blockedRequests ?? 0 })),
    downloads: entry.downloads.map(describeDownload),
    latencyMs: latencyMs === undefined ? null : Math.round(latencyMs),
  }
}

function describeHistory({ model, measured }: SpeedHistory) {
  return { name: model, points: measured.map(({ at, tokensPerSecond }) => ({ at: new Date(at), tokensPerSecond })) }
}

function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
}
