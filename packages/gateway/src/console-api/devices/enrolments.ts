import { ApiError } from '@hearth/chat'
import { createEnrolmentToken } from '../../access/secrets/secrets.ts'
import { readUserCode } from '../../access/secrets/user-code.ts'
import { installLine } from '../../device-app/install-line.ts'
import type { Enrolment } from '../../store/devices/enrolments.ts'
import type { TypedCode } from '../../store/devices/device-codes.ts'
import {
  changeIn,
  sharedUrl,
  organizationOf,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleParts,
} from '../console.ts'
import * as routes from '../routes/enrolments.ts'
import { recordRejection, settleChange } from '../guard/guard.ts'
import { show } from '../routes/show.ts'

const TOKEN_MS = 3_600_000

export function addEnrolments(app: ConsoleApp, parts: ConsoleParts): void {
  addTokens(app, parts)
  addCodes(app, parts)
}

function addTokens(app: ConsoleApp, parts: ConsoleParts): void {
  const { store, mostDevices: most } = parts

  app.openapi(routes.listEnrolments, async (context) => {
    const enrolments = await store.listEnrolments({ organization: organizationOf(context), at: new Date() })
    return context.json({ enrolments: enrolments.map(showEnrolment) }, 200)
  })

  app.openapi(routes.createEnrolment, async (context) => {
    const { key: token, digest } = createEnrolmentToken()
    const { person } = context.get('session')
    const created = await store.createEnrolment({
      ...changeIn(context),
      digest,
      expiresAt: new Date(Date.now() + TOKEN_MS),
      createdBy: person.id,
      most,
    })
    const enrolment = showEnrolment({ ...created, createdByName: person.name })
    const command = installLine(sharedUrl(parts, context), token)
    return context.json({ enrolment, token, command }, 200)
  })

  app.openapi(routes.revokeEnrolment, async (context) => {
    const { enrolment } = context.req.valid('param')
    return settleChange(parts, context, 'token', await store.revokeEnrolment({ ...changeIn(context), enrolment }))
  })
}

function addCodes(app: ConsoleApp, parts: ConsoleParts): void {
  const { store, mostDevices: most } = parts

  app.openapi(routes.lookUpCode, async (context) => {
    const typed = await readCode(parts, context, context.req.valid('json').userCode)
    const found = await store.findDeviceCode(typed)
    if (!found) throw await wrongCode(parts, context)
    return context.json(show(routes.asking, { ...found, askedAt: found.createdAt }), 200)
  })

  app.openapi(routes.approveCode, async (context) => {
    const { userCode, name } = context.req.valid('json')
    const typed = await readCode(parts, context, userCode)
    const decision = { ...typed, ...changeIn(context), decision: 'approve' as const, ...(name && { name }), most }
    return await settleCode(parts, context, await store.decideDeviceCode(decision))
  })

  app.openapi(routes.denyCode, async (context) => {
    const typed = await readCode(parts, context, context.req.valid('json').userCode)
    const decision = { ...typed, ...changeIn(context), decision: 'deny' as const }
    return await settleCode(parts, context, await store.decideDeviceCode(decision))
  })
}

async function readCode(parts: ConsoleParts, context: ConsoleContext, userCode: string): Promise<TypedCode> {
  parts.guessLimiter.count(context.env.address, `codes ${context.get('session').person.id}`)
  const typed = readUserCode(userCode)
  if (!typed) throw await wrongCode(parts, context)
  return { selector: typed.selector, userCodeDigest: typed.digest, at: new Date() }
}

async function settleCode(parts: ConsoleParts, context: ConsoleContext, isDone: boolean) {
  if (!isDone) throw await wrongCode(parts, context)
  return context.body(null, 204)
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

function showEnrolment(row: Enrolment) {
  return show(routes.enrolment, { ...row, createdBy: row.createdByName })
}
