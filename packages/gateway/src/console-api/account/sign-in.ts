// Signing in and out. The account library does the work; its responses are translated into ours and its cookies passed on.

import { browserOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/account.ts'
import { passOn, readAnswer } from './library-answer.ts'
import { noteSignIn, signInWith } from './sign-in-with.ts'

export function addSignIn(app: ConsoleApp, parts: ConsoleParts): void {
  const { accounts, guessLimiter, signInState } = parts
  addOtherWays(app, parts)

  app.openapi(routes.readSignInOptions, async (context) =>
    context.json(
      {
        isSetUp: await signInState.isSetUp(),
        hasPassword: true,
        hasPasskeys: parts.publicUrl !== '',
        provider: accounts.providerName === undefined ? null : { name: accounts.providerName },
      },
      200,
    ),
  )

  app.openapi(routes.signIn, async (context) => {
    const { email, password } = context.req.valid('json')
    guessLimiter.countSignIn(context.env.address, email)
    return context.json({ next: await signInWith(parts, context, email, password) }, 200)
  })

  app.openapi(routes.signOut, async (context) => {
    const session = await accounts.session(context.req.raw.headers)
    passOn(context, await accounts.call('/sign-out', browserOf(context), {}))
    // The session's playground key and its event streams end with it.
    if (session) await takeEffect(parts)
    if (session) parts.sessionEnds.emit(session.id)
    return context.body(null, 204)
  })
}

/** The second step, or a way without a password. */
function addOtherWays(app: ConsoleApp, parts: ConsoleParts): void {
  const { accounts, guessLimiter } = parts

  app.openapi(routes.signInSecondFactor, async (context) => {
    guessLimiter.count(context.env.address)
    const { code, isBackupCode } = context.req.valid('json')
    const endpoint = isBackupCode ? '/two-factor/verify-backup-code' : '/two-factor/verify-totp'
    const answer = await accounts.call(endpoint, browserOf(context), { code: code.trim() })
    const body = await readAnswer(context, answer, 'Wrong code, or the sign-in took too long. Try again.')
    noteSignIn(parts, context, body)
    return context.json({ next: 'done' as const }, 200)
  })

  app.openapi(routes.signInProvider, async (context) => {
    if (accounts.providerName === undefined) throw notFound('provider')
    guessLimiter.count(context.env.address)
    const { url } = await readAnswer(context, await accounts.signInWithProvider(browserOf(context)))
    return context.json({ url: String(url) }, 200)
  })
}
