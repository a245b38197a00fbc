// Two ways for a device to join: with a one-time token created here, or with a code that the device shows and a person approves here.

import { z } from '@hono/zod-openapi'
import { machine } from './devices.ts'
import { body, routesOf, json } from './route.ts'
import { id, moment, name, object } from './shapes.ts'

const route = routesOf('Enrolment')
const userCode = z.string().min(1).max(32).openapi({
  example: 'BCDF-GHJK',
  description: 'The code that the device shows, in any case, with or without the dash',
})

export const enrolment = object('Enrolment', 'An unused enrolment token', {
  id,
  createdAt: moment,
  expiresAt: moment,
  createdBy: z.string().nullable(),
})

export const listEnrolments = route('get', '/organizations/{organization}/enrolments', {
  access: 'devices.enrol',
  summary: 'List unused enrolment tokens',
  responses: json('The tokens, without their secrets', z.object({ enrolments: z.array(enrolment) })),
})

export const createEnrolment = route('post', '/organizations/{organization}/enrolments', {
  access: 'devices.enrol',
  summary: 'Create a token that lets one device join within an hour',
  responses: json(
    'The token, shown only once, and the command to run on the device',
    z.object({ enrolment, token: z.string(), command: z.string() }),
  ),
})

export const revokeEnrolment = route('delete', '/organizations/{organization}/enrolments/{enrolment}', {
  access: 'devices.enrol',
  summary: 'Revoke an unused token',
})

export const asking = object('AskingDevice', 'The device describes itself; nothing here is verified', {
  name: z.string(),
  app: z.string(),
  system: z.string().openapi({ description: 'Operating system and processor', example: 'linux x64' }),
  address: z.string().describe('The network address that the request came from'),
  machine: machine.nullable().describe("Null if the device's app is too old to say"),
  askedAt: moment,
  expiresAt: moment,
})

export const lookUpCode = route('post', '/organizations/{organization}/device-codes/look-up', {
  access: 'devices.enrol',
  summary: 'See which device is waiting with a code. A code stops working after five wrong attempts',
  request: body(z.strictObject({ userCode })),
  responses: json('The waiting device', asking),
})

export const approveCode = route('post', '/organizations/{organization}/device-codes/approve', {
  access: 'devices.enrol',
  summary: 'Approve a waiting device, so that it joins this organization',
  request: body(
    z.strictObject({
      userCode,
      name: name.optional().describe('Replaces the name that the device chose'),
    }),
  ),
})

export const denyCode = route('post', '/organizations/{organization}/device-codes/deny', {
  access: 'devices.enrol',
  summary: 'Deny a waiting device',
  request: body(z.strictObject({ userCode })),
})
