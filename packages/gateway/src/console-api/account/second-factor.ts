import { ApiError } from '@hearth/chat'
import { browserOf, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/account.ts'
import { passOn, readAnswer, WRONG_PASSWORD } from './library-answer.ts'

export function addSecondFactor(app: ConsoleApp, { accounts, guessLimiter }: ConsoleParts): void {
  app.openapi(routes.beginSecondFactor, async (context) => {
    if (!accounts.keepsSecondFactors) throw noKey()
    guessLimiter.count(context.env.address, `account ${context.get('session').person.id}`)
    const answer = await accounts.call('/two-factor/enable', browserOf(context), context.req.valid('json'))
    const { totpURI, backupCodes } = await readAnswer(context, answer, WRONG_PASSWORD)
    return context.json({ uri: String(totpURI), backupCodes: Array.isArray(backupCodes) ? backupCodes : [] }, 200)
  })

  app.openapi(routes.confirmSecondFactor, async (context) => {
    guessLimiter.count(context.env.address, `account ${context.get('session').person.id}`)
    const body = { code: context.req.valid('json').code.trim() }
    passOn(context, await accounts.call('/two-factor/verify-totp', browserOf(context), body), 'Wrong code.')
    return context.body(null, 204)
  })

  app.openapi(routes.endSecondFactor, async (context) => {
    guessLimiter.count(context.env.address, `account ${context.get('session').person.id}`)
    const answer = await accounts.call('/two-factor/disable', browserOf(context), context.req.valid('json'))
    passOn(context, answer, WRONG_PASSWORD)
    return context.body(null, 204)
  })
}

function noKey(): ApiError {
  return new ApiError(
    'not_set_up',
    'This gateway has no key to encrypt second factors with. Ask its operator to set SESSION_SECRET.',
  )
}
