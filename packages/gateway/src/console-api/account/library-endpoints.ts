// The few endpoints of the account library that a browser calls directly: passkeys, whose messages the browser creates, and the callback
// from the external provider. All other endpoints of the library are unreachable.

import { ApiError } from '@hearth/chat'
import { Accounts } from '../../access/accounts/accounts.ts'
import { ACCOUNT_PREFIX } from '../../access/accounts/library.ts'
import { whileStoreAnswers } from '../../access/while-store-answers.ts'
import { actorOf, browserOf, type ConsoleApp, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import { passOn } from './library-answer.ts'

const REACHABLE = /^\/(passkey\/|callback\/)/

/** For the audit log. */
const RECORDED = new Map([
  ['/passkey/verify-registration', 'added'],
  ['/passkey/delete-passkey', 'removed'],
])

export function addLibraryEndpoints(app: ConsoleApp, parts: ConsoleParts): void {
  const { accounts, book, guessLimiter } = parts
  app.all(`${ACCOUNT_PREFIX}/*`, async (context) => {
    const path = context.req.path.slice(ACCOUNT_PREFIX.length)
    if (!REACHABLE.test(path) || !Accounts.isEndpoint(path, context.req.method)) throw notFound('endpoint')
    guessLimiter.count(context.env.address)
    const body = context.req.method === 'POST' ? await readBody(context) : undefined
    const { search } = new URL(context.req.url)
    const answer = await whileStoreAnswers(book, () => accounts.call(path, browserOf(context), body, search))
    if (answer.status === 403 && path.includes('regist')) throw notFresh()
    passOn(context, answer)
    if (RECORDED.has(path)) await recordPasskey(parts, context, RECORDED.get(path) === 'added')
    // The provider's callback responds with a redirect to one of our paths.
    const location = answer.headers.get('location')
    if (location !== null) return context.redirect(location)
    return context.body(await answer.text(), 200, { 'content-type': 'application/json' })
  })
}

async function recordPasskey(
  { accounts, store }: ConsoleParts,
  context: ConsoleContext,
  isNew: boolean,
): Promise<void> {
  const session = await accounts.session(context.req.raw.headers)
  if (!session) return
  context.set('session', session)
  await store.recordPasskeyChange({ person: session.person.id, isNew, by: actorOf(context) })
}

function notFresh(): ApiError {
  return new ApiError(
    'wrong_sign_in',
    'You signed in more than a day ago. To add a passkey, sign out, sign in again, and add it then.',
  )
}

/** The client may also leave in the middle of it. */
async function readBody({ req }: ConsoleContext): Promise<object> {
  return req.json<object>().catch(() => {
    throw new ApiError('invalid_json', 'We could not parse the JSON body of your request.')
  })
}
