import { type ConsoleApp, type ConsoleParts, takeEffect, browserOf, actorOf } from '../console.ts'
import { addSessions } from './sessions.ts'
import { addSignIn } from './sign-in.ts'
import { ApiError } from '@hearth/chat'
import { verifyPassword } from '../../access/accounts/accounts.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/account.ts'
import { show } from '../routes/show.ts'
import { WRONG_PASSWORD, passOn, readAnswer } from './library-answer.ts'
import { digestSecret } from '../../access/secrets/secrets.ts'
import { hashNewPassword, checkNewPassword } from './new-password.ts'
import { signInWith } from './sign-in-with.ts'

export function addAccount(app: ConsoleApp, parts: ConsoleParts): void {
  addSignIn(app, parts)
  addSetUp(app, parts)
  addMe(app, parts)
  addSessions(app, parts)
  addAccountDeletion(app, parts)
  addSecondFactor(app, parts)
}

function addAccountDeletion(app: ConsoleApp, parts: ConsoleParts): void {
  const { store, guessLimiter } = parts

  app.openapi(routes.deleteMe, async (context) => {
    const { person } = context.get('session')
    const { email, password = '' } = context.req.valid('json')
    guessLimiter.count(context.env.address, `account ${person.id}`)
    if (email.trim().toLowerCase() !== person.email)
      throw new ApiError('invalid_value', 'This is not your email address. Type it to delete your account.', 'email')
    const hash = await store.passwordHash(person.id)
    if (hash !== undefined && !(await verifyPassword({ hash, password })))
      throw new ApiError('wrong_sign_in', WRONG_PASSWORD)
    const deletion = await store.deletePerson({ person: person.id, isOwnWish: true })
    if (deletion.kind === 'unknown') throw notFound('account')
    if (deletion.kind === 'only-owner') throw onlyOwner(deletion.organizations)
    await takeEffect(parts)
    return context.body(null, 204)
  })
}

function onlyOwner(names: readonly string[]): ApiError {
  return new ApiError(
    'last_owner',
    `You are the only owner of ${names.join(', ')}. Make someone else an owner, or delete the organization first.`,
  )
}

function addSecondFactor(app: ConsoleApp, { accounts, guessLimiter }: ConsoleParts): void {
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

function addSetUp(app: ConsoleApp, parts: ConsoleParts): void {
  const { guessLimiter, store, signInState } = parts

  app.openapi(routes.setUp, async (context) => {
    const { token, organization, ...person } = context.req.valid('json')
    const { address } = context.env
    guessLimiter.count(address)
    if (await signInState.isSetUp()) throw invalidLink()
    const passwordHash = await hashNewPassword(person)
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

function addMe(app: ConsoleApp, parts: ConsoleParts): void {
  addMyAccount(app, parts)
  addMyChoices(app, parts)
}

function addMyAccount(app: ConsoleApp, { store, peopleMakeOrganizations }: ConsoleParts): void {
  app.openapi(routes.readMe, async (context) => {
    const { person, activeOrganization, expiresAt } = context.get('session')
    const [memberships, ways] = await Promise.all([store.membershipsOf(person.id), store.signInWays(person.id)])
    const organizations = memberships.map(({ organization, role }) => ({ ...organization, role }))
    const isStillThere = organizations.some(({ id }) => id === activeOrganization)
    const shown = show(routes.me, {
      person: { ...person, ...ways },
      organizations,
      activeOrganization: isStillThere ? activeOrganization : organizations[0]?.id,
      mayCreateOrganization: peopleMakeOrganizations,
      sessionExpiresAt: expiresAt,
    })
    return context.json(shown, 200)
  })

  app.openapi(routes.changeMe, async (context) => {
    const { name } = context.req.valid('json')
    await store.renamePerson({ person: context.get('session').person.id, name, by: actorOf(context) })
    return context.body(null, 204)
  })
}

function addMyChoices(app: ConsoleApp, { accounts, store, guessLimiter }: ConsoleParts): void {
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
    const { id, email } = context.get('session').person
    guessLimiter.count(context.env.address, `account ${id}`)
    checkNewPassword(next, email)
    const body = { currentPassword: current, newPassword: next, revokeOtherSessions: true }
    passOn(context, await accounts.call('/change-password', browserOf(context), body), WRONG_PASSWORD)
    return context.body(null, 204)
  })
}
