// The few endpoints of the account library that a browser calls directly: passkeys, whose messages the browser creates, and the callback
// from the external provider. All other endpoints of the library are unreachable.

import { ApiError } from '@hearth/chat'
import { Accounts, type AccountEndpoint, type Called } from '../../access/accounts/accounts.ts'
import { ACCOUNT_PREFIX } from '../../access/accounts/library.ts'
import { whileStoreAnswers } from '../../access/while-store-answers.ts'
import { browserOf, type ConsoleApp, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import { isWrong, passOn } from './library-answer.ts'
import { noteActivity, noteNobody } from './note-activity.ts'
import { noteSignIn } from './sign-in-with.ts'

const REACHABLE = /^\/(passkey\/|callback\/)/

export function addLibraryEndpoints(app: ConsoleApp, parts: ConsoleParts): void {
  const { accounts, book, guessLimiter } = parts
  app.all(`${ACCOUNT_PREFIX}/*`, async (context) => {
    const path = context.req.path.slice(ACCOUNT_PREFIX.length)
    if (!REACHABLE.test(path) || !Accounts.isEndpoint(path, context.req.method)) throw notFound('endpoint')
    guessLimiter.count(context.env.address)
    const body = context.req.method === 'POST' ? await readBody(context) : undefined
    const { search } = new URL(context.req.url)
    const called = await whileStoreAnswers(book, () => accounts.call(path, browserOf(context), body, search))
    const { answer } = called
    if (answer.status === 403 && path.includes('regist')) throw notFresh()
    if (isWrong(answer) && path === '/passkey/verify-authentication') noteNobody(parts, context, 'wrong-passkey')
    passOn(context, answer)
    await note(parts, context, path, called)
    // The provider's callback responds with a redirect to one of our paths.
    const location = answer.headers.get('location')
    if (location !== null) return context.redirect(location)
    return context.body(await answer.text(), 200, { 'content-type': 'application/json' })
  })
}

async function note(
  parts: ConsoleParts,
  context: ConsoleContext,
  path: AccountEndpoint,
  { person }: Called,
): Promise<void> {
  if (path === '/passkey/verify-authentication') return await noteSignIn(parts, context, { person, way: 'passkey' })
  if (path === '/callback/oidc')
    return person === undefined
      ? noteNobody(parts, context, 'provider-refused')
      : await noteSignIn(parts, context, { person, way: 'provider' })
  if (path === '/passkey/verify-registration') await notePasskey(parts, context, 'add-passkey')
  if (path === '/passkey/delete-passkey') await notePasskey(parts, context, 'remove-passkey')
}

async function notePasskey(
  parts: ConsoleParts,
  context: ConsoleContext,
  event: 'add-passkey' | 'remove-passkey',
): Promise<void> {
  const session = await parts.accounts.session(context.req.raw.headers)
  if (session) await noteActivity(parts, context, { person: session.person.id, event })
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
