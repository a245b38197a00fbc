// What a device did today, and the electricity that it takes.

import { z } from '@hono/zod-openapi'
import { routesOf, json } from './route.ts'
import { count, moment } from './shapes.ts'

const route = routesOf('Devices')

const counters = {
  requests: count,
  errors: count,
  promptTokens: count,
  completionTokens: count,
  busyMs: count.openapi({ description: 'Total time that it spent on requests. Several at once count several times' }),
}

const energy = z
  .object({
    parts: z.array(z.enum(['processor', 'gpu'])).openapi({ description: 'The parts that the machine measures' }),
    watts: z.number().openapi({ description: 'Right now' }),
    wattHoursToday: z.number().openapi({ description: 'Since midnight UTC, while the device app ran' }),
  })
  .openapi('DeviceEnergy', {
    description:
      'The electricity that the machine takes, as it says itself. Null if it is offline, or measures nothing',
  })

const day = z
  .object({
    since: moment.openapi({ description: 'Midnight UTC' }),
    total: z.object(counters),
    models: z
      .array(z.object({ name: z.string(), ...counters }))
      .openapi({ description: 'Most requests first, at most 100' }),
    takeOvers: z.object({
      continued: count.openapi({ description: 'Replies of other devices that it continued' }),
      handedOn: count.openapi({ description: 'Its own that other devices continued' }),
    }),
    energy: energy.nullable(),
  })
  .openapi('DeviceDay')

export const readDeviceDay = route('get', '/organizations/{organization}/devices/{device}/today', {
  access: 'devices.read',
  summary: 'Get what a device did today, for all keys together, and the electricity that it takes',
  responses: json('The day of the device', day),
})
