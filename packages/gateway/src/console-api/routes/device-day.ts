// What a device did today, and the electricity that it takes.

import { z } from '@hono/zod-openapi'
import { routesOf, json } from './route.ts'
import { count, moment, object } from './shapes.ts'

const route = routesOf('Devices')

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
  since: moment.describe('Midnight UTC'),
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
})
