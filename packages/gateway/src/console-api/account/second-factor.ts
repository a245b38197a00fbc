// Your second factor: setting it up, and turning it off.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import type { Accounts } from '../../access/accounts/accounts.ts'
import { browserOf, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { body, routesOf, json, PASSWORD_ANSWERS_WITHIN_MS, WITHIN_FIELD } from '../routes/route.ts'
import { isWrong, passOn, readAnswer, WRONG_PASSWORD } from './library-answer.ts'
import { noteActivity, noteFailure } from './note-activity.ts'

const route = routesOf('Account')

export const beginSecondFactor = route('post', '/me/second-factor', {
  access: 'signed-in',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Start setting up two-factor authentication. It takes effect once you confirm it',
  request: body(z.strictObject({ password: z.string().min(1).max(128) })),
  responses: json(
    'The URI for your authenticator app, and backup codes to keep in a safe place',
    z.object({ uri: z.string(), backupCodes: z.array(z.string()) }),
  ),
  async handle(parts, context, input) {
    if (!parts.accounts.keepsSecondFactors) throw noKey()
    const answer = await callLibrary(parts, context, '/two-factor/enable', { password: input.password })
    const { totpURI, backupCodes } = await readAnswer(context, answer, WRONG_PASSWORD)
    return { uri: String(totpURI), backupCodes: Array.isArray(backupCodes) ? backupCodes : [] }
  },
})

export const confirmSecondFactor = route('post', '/me/second-factor/confirm', {
  access: 'signed-in',
  summary: 'Confirm two-factor authentication with a code from your authenticator app',
  request: body(z.strictObject({ code: z.string().min(1).max(32) })),
  async handle(parts, context, input) {
    const answer = await callLibrary(parts, context, '/two-factor/verify-totp', { code: input.code.trim() })
    passOn(context, answer, 'Wrong code.')
    await noteActivity(parts, context, { person: context.get('session').person.id, event: 'add-second-factor' })
  },
})

export const endSecondFactor = route('post', '/me/second-factor/end', {
  access: 'signed-in',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Turn off two-factor authentication',
  request: body(z.strictObject({ password: z.string().min(1).max(128) })),
  async handle(parts, context, input) {
    const answer = await callLibrary(parts, context, '/two-factor/disable', { password: input.password })
    passOn(context, answer, WRONG_PASSWORD)
    await noteActivity(parts, context, { person: context.get('session').person.id, event: 'remove-second-factor' })
  },
})

/** Every call is an attempt to guess a password or a code. */
async function callLibrary(
  parts: ConsoleParts,
  context: ConsoleContext,
  path: Parameters<Accounts['call']>[0],
  input: { password: string } | { code: string },
): Promise<Response> {
  const { id: person } = context.get('session').person
  parts.guessLimiter.count(context.env.address, `account ${person}`)
  const { answer } = await parts.accounts.call(path, browserOf(context), input)
  const wrong = 'password' in input ? 'wrong-password' : 'wrong-code'
  if (isWrong(answer)) noteFailure(parts, context, wrong, { person, isThem: true })
  return answer
}

function noKey(): ApiError {
  return new ApiError(
    'not_set_up',
    'This gateway has no key to encrypt second factors with. Ask its operator to set SESSION_SECRET.',
  )
}
