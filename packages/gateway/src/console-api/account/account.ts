// Signing in and out. The account library does the work; its responses are translated into ours and its cookies passed on.

import { hashPassword } from '../../access/accounts/accounts.ts'
import { digestSecret } from '../../access/secrets/secrets.ts'
import { ApiError } from '../../errors.ts'
import { actorOf, browserOf, takeEffect, type ConsoleApp, type ConsoleContext, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/account.ts'
import { notFound } from '../guard/guard.ts'
import { passOn, readAnswer } from './library-answer.ts'

const WRONG_PASSWORD = 'Wrong password.'

export function addAccount(app: ConsoleApp, parts: ConsoleParts): void {
  addSignIn(app, parts)
  addSetUp(app, parts)
  addMe(app, parts)
  addSecondFactor(app, parts)
}

function addSignIn(app: ConsoleApp, parts: ConsoleParts): void {
  const { accounts, guessLimiter, signInState } = parts

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

  app.openapi(routes.signOut, async (context) => {
    const session = await accounts.session(context.req.raw.headers)
    passOn(context, await accounts.call('/sign-out', browserOf(context), {}))
    // The session's playground key ended with it.
    if (session) await takeEffect(parts)
    return context.body(null, 204)
  })
}

function addSetUp(app: ConsoleApp, parts: ConsoleParts): void {
  const { guessLimiter, store, signInState } = parts

  app.openapi(routes.setUp, async (context) => {
    const { token, organization, ...person } = context.req.valid('json')
    const { address } = context.env
    guessLimiter.count(address)
    if (await signInState.isSetUp()) throw invalidLink()
    const passwordHash = await hashPassword(person.password)
    const input = { digest: digestSecret(token), at: new Date(), organization, address }
    const done = await store.setUp({ ...input, person: { name: person.name, email: person.email, passwordHash } })
    if (!done) throw invalidLink()
    signInState.note(true)
    await signInWith(parts, context, person.email, person.password)
    return context.json({ organization: done.organization }, 200)
  })
}

function invalidLink(): ApiError {
  return new ApiError(
    'invalid_link',
    'This link is no longer valid. If no one has signed in yet, restart the gateway to get a new one.',
  )
}

export async function signInWith(parts: ConsoleParts, context: ConsoleContext, email: string, password: string) {
  const answer = await parts.accounts.call('/sign-in/email', browserOf(context), { email, password })
  const body = await readAnswer(context, answer, 'Wrong email or password.')
  if (body['twoFactorRedirect'] === true) return 'second-factor' as const
  noteSignIn(parts, context, body)
  return 'done' as const
}

/** From now on, attackers elsewhere cannot use up this person's attempts from this address. */
function noteSignIn({ guessLimiter }: ConsoleParts, context: ConsoleContext, { user }: Record<string, unknown>): void {
  if (typeof user !== 'object' || user === null || !('email' in user)) return
  guessLimiter.signedIn(context.env.address, String(user.email))
}

function addMe(app: ConsoleApp, { accounts, store, guessLimiter, peopleMakeOrganizations }: ConsoleParts): void {
  app.openapi(routes.readMe, async (context) => {
    const { person, activeOrganization, expiresAt } = context.get('session')
    const [memberships, ways] = await Promise.all([store.membershipsOf(person.id), store.signInWays(person.id)])
    const organizations = memberships.map(({ organization: { id, name }, role }) => ({ id, name, role }))
    const isStillThere = organizations.some(({ id }) => id === activeOrganization)
    return context.json(
      {
        person: { ...person, ...ways },
        organizations,
        activeOrganization: (isStillThere ? activeOrganization : organizations[0]?.id) ?? null,
        mayCreateOrganization: peopleMakeOrganizations,
        sessionExpiresAt: expiresAt.toISOString(),
      },
      200,
    )
  })

  app.openapi(routes.changeMe, async (context) => {
    const { name } = context.req.valid('json')
    await store.renamePerson({ person: context.get('session').person.id, name, by: actorOf(context) })
    return context.body(null, 204)
  })

  app.openapi(routes.changeActiveOrganization, async (context) => {
    const { organization } = context.req.valid('json')
    const membership = await store.membership({ organization, person: context.get('session').person.id })
    if (!membership) throw notFound('organization')
    const body = { organizationId: organization }
    passOn(context, await accounts.call('/organization/set-active', browserOf(context), body))
    return context.body(null, 204)
  })

  app.openapi(routes.changePassword, async (context) => {
    const { current, next } = context.req.valid('json')
    guessLimiter.count(context.env.address, `account ${context.get('session').person.id}`)
    const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true }
    passOn(context, await accounts.call('/change-password', browserOf(context), body), WRONG_PASSWORD)
    return context.body(null, 204)
  })
}

function addSecondFactor(app: ConsoleApp, { accounts, guessLimiter }: ConsoleParts): void {
  app.openapi(routes.beginSecondFactor, async (context) => {
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
