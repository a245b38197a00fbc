// Two ways for a device to join: with a one-time token created here, or with a code that the device shows and a person approves here.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { createEnrolmentToken } from '../../access/secrets/secrets.ts'
import { readUserCode } from '../../access/secrets/user-code.ts'
import { installLine } from '../../device-app/install-line.ts'
import type { TypedCode } from '../../store/devices/device-codes.ts'
import { changeIn, sharedUrl, organizationOf, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { recordRejection, requireDone } from '../guard/guard.ts'
import { body, routesOf, json } from '../routes/route.ts'
import { dateTime, id, name, object } from '../routes/shapes.ts'
import { machine } from './devices.ts'

const route = routesOf('Enrolment')
const TOKEN_MS = 3_600_000

const userCode = z.string().min(1).max(32).openapi({
  example: 'BCDF-GHJK',
  description: 'The code that the device shows, in any case, with or without the dash',
})

const enrolment = object('Enrolment', 'An unused enrolment token', {
  id,
  createdAt: dateTime,
  expiresAt: dateTime,
  createdBy: z.string().nullable(),
})

export const listEnrolments = route('get', '/organizations/{organization}/enrolments', {
  access: 'devices.enrol',
  summary: 'List unused enrolment tokens',
  responses: json('The tokens, without their secrets', z.object({ enrolments: z.array(enrolment) })),
  async handle({ store }, context) {
    const enrolments = await store.listEnrolments({ organization: organizationOf(context), at: new Date() })
    return { enrolments: enrolments.map((row) => ({ ...row, createdBy: row.createdByName })) }
  },
})

export const createEnrolment = route('post', '/organizations/{organization}/enrolments', {
  access: 'devices.enrol',
  summary: 'Create a token that lets one device join within an hour',
  responses: json(
    'The token, shown only once, and the command to run on the device',
    z.object({ enrolment, token: z.string(), command: z.string() }),
  ),
  async handle(parts, context) {
    const { key: token, digest } = createEnrolmentToken()
    const { person } = context.get('session')
    const created = await parts.store.createEnrolment({
      ...changeIn(context),
      digest,
      expiresAt: new Date(Date.now() + TOKEN_MS),
      createdBy: person.id,
      most: parts.mostDevices,
    })
    const command = installLine(sharedUrl(parts, context), token)
    return { enrolment: { ...created, createdBy: person.name }, token, command }
  },
})

export const revokeEnrolment = route('delete', '/organizations/{organization}/enrolments/{enrolment}', {
  access: 'devices.enrol',
  summary: 'Revoke an unused token',
  async handle({ store }, context, { enrolment }) {
    requireDone('token', await store.revokeEnrolment({ ...changeIn(context), enrolment }))
  },
})

const asking = object('AskingDevice', 'The device describes itself; nothing here is verified', {
  name: z.string(),
  app: z.string(),
  system: z.string().openapi({ description: 'Operating system and processor', example: 'linux x64' }),
  address: z.string().describe('The network address that the request came from'),
  machine: machine.nullable().describe("Null if the device's app is too old to say"),
  askedAt: dateTime,
  expiresAt: dateTime,
})

export const lookUpCode = route('post', '/organizations/{organization}/device-codes/look-up', {
  access: 'devices.enrol',
  summary: 'See which device is waiting with a code. A code stops working after five wrong attempts',
  request: body(z.strictObject({ userCode })),
  responses: json('The waiting device', asking),
  async handle(parts, context, input) {
    const found = await parts.store.findDeviceCode(await readCode(parts, context, input.userCode))
    if (!found) throw await wrongCode(parts, context)
    return { ...found, askedAt: found.createdAt }
  },
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
  async handle(parts, context, input) {
    const more = { ...(input.name && { name: input.name }), most: parts.mostDevices }
    await decide(parts, context, input.userCode, { decision: 'approve', ...more })
  },
})

export const denyCode = route('post', '/organizations/{organization}/device-codes/deny', {
  access: 'devices.enrol',
  summary: 'Deny a waiting device',
  request: body(z.strictObject({ userCode })),
  async handle(parts, context, input) {
    await decide(parts, context, input.userCode, { decision: 'deny' })
  },
})

async function readCode(parts: ConsoleParts, context: ConsoleContext, userCode: string): Promise<TypedCode> {
  parts.guessLimiter.count(context.env.address, `codes ${context.get('session').person.id}`)
  const typed = readUserCode(userCode)
  if (!typed) throw await wrongCode(parts, context)
  return { selector: typed.selector, userCodeDigest: typed.digest, at: new Date() }
}

async function decide(
  parts: ConsoleParts,
  context: ConsoleContext,
  userCode: string,
  how: { decision: 'approve' | 'deny'; name?: string; most?: number },
): Promise<void> {
  const typed = await readCode(parts, context, userCode)
  if (!(await parts.store.decideDeviceCode({ ...typed, ...changeIn(context), ...how })))
    throw await wrongCode(parts, context)
}

async function wrongCode(parts: ConsoleParts, context: ConsoleContext): Promise<ApiError> {
  const { id, name } = context.get('membership').organization
  const object = { kind: 'organization', id, name }
  await recordRejection(parts, context, { organization: id, action: 'device.approve', object })
  return new ApiError(
    'not_found',
    'No device is waiting with this code. Check the letters, or start again on the device: a code stops working after five wrong attempts.',
  )
}
