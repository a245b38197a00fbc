// The few endpoints of the account library a browser calls itself: passkeys, whose messages the browser makes, and the way back from the
// external provider. Everything else the library could do is not reachable.

import { ACCOUNT_PREFIX, Accounts } from '../access/accounts.ts'
import { browserOf, type ConsoleApp, type ConsoleParts } from './console.ts'
import { notFound } from './guard.ts'
import { passOn } from './library-answer.ts'

const REACHABLE = /^\/(passkey\/|callback\/)/

export function addLibraryEndpoints(app: ConsoleApp, { accounts, guessLimiter }: ConsoleParts): void {
  app.all(`${ACCOUNT_PREFIX}/*`, async (context) => {
    const path = context.req.path.slice(ACCOUNT_PREFIX.length)
    if (!REACHABLE.test(path) || !Accounts.isEndpoint(path, context.req.method)) throw notFound('endpoint')
    guessLimiter.count(context.env.address)
    const body = context.req.method === 'POST' ? await context.req.json<object>() : undefined
    const answer = await accounts.call(path, browserOf(context), body, new URL(context.req.url).search)
    passOn(context, answer)
    // The way back from the provider answers with a redirect, to a path of ours.
    const location = answer.headers.get('location')
    if (location !== null) return context.redirect(location)
    return context.body(await answer.text(), 200, { 'content-type': 'application/json' })
  })
}
