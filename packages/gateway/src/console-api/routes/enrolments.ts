// Two ways for a device to join: a one-time token made here, or a code that the device shows and a person approves here.

import { z } from '@hono/zod-openapi'
import { body, describeRoute, done, json } from './route.ts'
import { id, moment, name, organizationPath, pathWith } from './shapes.ts'

const tags = ['Enrolment']
const userCode = z
  .string()
  .min(1)
  .max(32)
  .openapi({ example: 'BCDF-GHJK', description: 'As the device shows it, in any case, with or without the dash' })

const enrolment = z
  .object({ id, createdAt: moment, expiresAt: moment, createdBy: z.string().nullable() })
  .openapi('Enrolment', { description: 'A token that was not used yet' })

export const listEnrolments = describeRoute({
  access: 'devices.enrol',
  method: 'get',
  path: '/organizations/{organization}/enrolments',
  tags,
  operationId: 'listEnrolments',
  summary: 'Enrolment tokens that can still be used',
  request: { params: organizationPath },
  responses: json('The tokens, without their text', z.object({ enrolments: z.array(enrolment) })),
})

export const createEnrolment = describeRoute({
  access: 'devices.enrol',
  method: 'post',
  path: '/organizations/{organization}/enrolments',
  tags,
  operationId: 'createEnrolment',
  summary: 'Make a token with which one device may join within an hour',
  request: { params: organizationPath },
  responses: json(
    'The token, shown once, and the command to run on the device',
    z.object({ enrolment, token: z.string(), command: z.string() }),
  ),
})

export const revokeEnrolment = describeRoute({
  access: 'devices.enrol',
  method: 'delete',
  path: '/organizations/{organization}/enrolments/{enrolment}',
  tags,
  operationId: 'revokeEnrolment',
  summary: 'Make a token useless',
  request: { params: pathWith('enrolment') },
  responses: done,
})

const asking = z
  .object({
    name: z.string(),
    app: z.string(),
    system: z.string().openapi({ description: 'Operating system and processor', example: 'linux x64' }),
    address: z.string().openapi({ description: 'The network address it asked from' }),
    askedAt: moment,
    expiresAt: moment,
  })
  .openapi('AskingDevice', { description: 'What the device says about itself: nobody has checked it' })

export const lookUpCode = describeRoute({
  access: 'devices.enrol',
  method: 'post',
  path: '/organizations/{organization}/device-codes/look-up',
  tags,
  operationId: 'lookUpCode',
  summary: 'See which device is asking with a code. Five wrong tries make a code useless',
  request: { params: organizationPath, ...body(z.strictObject({ userCode })) },
  responses: json('The device that is asking', asking),
})

export const approveCode = describeRoute({
  access: 'devices.enrol',
  method: 'post',
  path: '/organizations/{organization}/device-codes/approve',
  tags,
  operationId: 'approveCode',
  summary: 'Let the device join this organization',
  request: {
    params: organizationPath,
    ...body(
      z.strictObject({ userCode, name: name.optional().openapi({ description: 'Instead of the name it gave' }) }),
    ),
  },
  responses: done,
})

export const denyCode = describeRoute({
  access: 'devices.enrol',
  method: 'post',
  path: '/organizations/{organization}/device-codes/deny',
  tags,
  operationId: 'denyCode',
  summary: 'Turn the device away',
  request: { params: organizationPath, ...body(z.strictObject({ userCode })) },
  responses: done,
})
