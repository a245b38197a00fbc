// The few endpoints of the account library that a browser calls directly: passkeys, whose messages the browser creates, and the callback
// from the external provider. All other endpoints of the library are unreachable.

import { ApiError } from '@hearth/chat'
import { Accounts } from '../../access/accounts/accounts.ts'
import { ACCOUNT_PREFIX } from '../../access/accounts/library.ts'
import { whileStoreAnswers } from '../../access/while-store-answers.ts'
import { browserOf, type ConsoleApp, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import { passOn } from './library-answer.ts'

const REACHABLE = /^\/(passkey\/|callback\/)/

export function addLibraryEndpoints(app: ConsoleApp, { accounts, book, guessLimiter }: ConsoleParts): void {
  app.all(`${ACCOUNT_PREFIX}/*`, async (context) => {
    const path = context.req.path.slice(ACCOUNT_PREFIX.length)
    if (!REACHABLE.test(path) || !Accounts.isEndpoint(path, context.req.method)) throw notFound('endpoint')
    guessLimiter.count(context.env.address)
    const body = context.req.method === 'POST' ? await readBody(context) : undefined
    const { search } = new URL(context.req.url)
    const answer = await whileStoreAnswers(book, () => accounts.call(path, browserOf(context), body, search))
    passOn(context, answer)
    // The provider's callback responds with a redirect to one of our paths.
    const location = answer.headers.get('location')
    if (location !== null) return context.redirect(location)
    return context.body(await answer.text(), 200, { 'content-type': 'application/json' })
  })
}

/** The client may also leave in the middle of it. */
async function readBody({ req }: ConsoleContext): Promise<object> {
  return req.json<object>().catch(() => {
    throw new ApiError('invalid_json', 'We could not parse the JSON body of your request.')
  })
}
