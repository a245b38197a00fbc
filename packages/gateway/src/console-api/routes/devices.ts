// Devices of an organization: what they are doing, and what may be done with them.

import { z } from '@hono/zod-openapi'
import { feature } from './models.ts'
import { body, describeRoute, done, json } from './route.ts'
import { count, id, moment, name, organizationPath, pathWith } from './shapes.ts'

const tags = ['Devices']
const devicePath = pathWith('device')

const deviceModel = z
  .object({
    name: z.string(),
    isEnabled: z.boolean(),
    contextLength: count,
    slots: count,
    running: count,
    features: z.array(feature),
    missingFeatures: z.array(feature).openapi({ description: 'Features an update of the device app would bring' }),
    tokensPerSecond: z.number().nullable(),
  })
  .openapi('DeviceModel')

const download = z
  .object({ model: z.string(), doneBytes: count, totalBytes: count.nullable() })
  .openapi('Download', { description: 'A model the device is fetching' })

export const device = z
  .object({
    id,
    name: z.string(),
    state: z.enum(['linked', 'draining', 'offline']),
    isPaused: z.boolean().openapi({ description: 'Stays linked and gets no jobs' }),
    createdAt: moment,
    lastSeenAt: moment.nullable().openapi({ description: 'Null before its first link; now, while it is linked' }),
    app: z.string().nullable().openapi({ description: 'Version of the device app' }),
    isOutdated: z.boolean().openapi({ description: 'A newer device app than the one it runs exists' }),
    engine: z.string().nullable(),
    slots: count,
    running: count,
    tokensPerSecond: z.number().nullable(),
    models: z.array(deviceModel),
    downloads: z.array(download),
  })
  .openapi('Device')

export const listDevices = describeRoute({
  access: 'devices.read',
  method: 'get',
  path: '/organizations/{organization}/devices',
  tags,
  operationId: 'listDevices',
  summary: 'All devices, linked or not, by name',
  request: { params: organizationPath },
  responses: json('The devices', z.object({ devices: z.array(device) })),
})

export const changeDevice = describeRoute({
  access: 'devices.change',
  method: 'patch',
  path: '/organizations/{organization}/devices/{device}',
  tags,
  operationId: 'changeDevice',
  summary: 'Rename, pause or resume a device. A paused device finishes the jobs it has',
  request: { params: devicePath, ...body(z.strictObject({ name: name.optional(), isPaused: z.boolean().optional() })) },
  responses: done,
})

export const removeDevice = describeRoute({
  access: 'devices.change',
  method: 'delete',
  path: '/organizations/{organization}/devices/{device}',
  tags,
  operationId: 'removeDevice',
  summary: 'Remove a device: its link closes and its credential is void',
  request: { params: devicePath },
  responses: done,
})
