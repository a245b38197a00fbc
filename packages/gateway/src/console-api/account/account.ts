// Your own account.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { verifyPassword } from '../../access/accounts/passwords.ts'
import { actorOf, browserOf } from '../console.ts'
import { notFound, settleChange } from '../guard/guard.ts'
import { body, routesOf, json, PASSWORD_ANSWERS_WITHIN_MS, WITHIN_FIELD } from '../routes/route.ts'
import { dateTime, deletesAt, id, name, object, password, role } from '../routes/shapes.ts'
import { WRONG_PASSWORD, isWrong, passOn } from './library-answer.ts'
import { checkNewPassword } from './new-password.ts'
import { noteActivity, noteFailure } from './note-activity.ts'

const route = routesOf('Account')

const membership = object('Membership', { id, name: z.string(), role, deletesAt })

const me = object('Me', {
  person: z.object({
    id,
    name: z.string(),
    email: z.string(),
    hasPassword: z.boolean(),
    hasSecondFactor: z.boolean(),
  }),
  organizations: z.array(membership),
  activeOrganization: id.nullable().describe('The organization you viewed last'),
  mayCreateOrganization: z.boolean(),
  sessionExpiresAt: dateTime.describe('Without another visit'),
  sessionEndsAt: dateTime.describe('Whatever happens'),
})

export const readMe = route('get', '/me', {
  access: 'signed-in',
  summary: 'Get your account and your organizations',
  responses: json('Your account', me),
  async handle({ store, peopleMakeOrganizations }, context) {
    const { person, activeOrganization, expiresAt, endsAt } = context.get('session')
    const [memberships, ways] = await Promise.all([store.membershipsOf(person.id), store.signInWays(person.id)])
    const organizations = memberships.map(({ organization, role: held }) => ({ ...organization, role: held }))
    const isStillThere = organizations.some((one) => one.id === activeOrganization)
    return {
      person: { ...person, ...ways },
      organizations,
      activeOrganization: isStillThere ? activeOrganization : organizations[0]?.id,
      mayCreateOrganization: peopleMakeOrganizations,
      sessionExpiresAt: expiresAt,
      sessionEndsAt: endsAt,
    }
  },
})

export const changeMe = route('patch', '/me', {
  access: 'signed-in',
  summary: 'Change your name',
  request: body(z.strictObject({ name })),
  async handle({ store }, context, input) {
    await store.renamePerson({ person: context.get('session').person.id, name: input.name, by: actorOf(context) })
  },
})

export const changeActiveOrganization = route('put', '/me/active-organization', {
  access: 'signed-in',
  summary: 'Choose which organization to show',
  request: body(z.strictObject({ organization: id })),
  async handle({ accounts, store }, context, { organization }) {
    const found = await store.membership({ organization, person: context.get('session').person.id })
    if (!found) throw notFound('organization')
    const chosen = { organizationId: organization }
    const { answer } = await accounts.call('/organization/set-active', browserOf(context), chosen)
    passOn(context, answer)
  },
})

export const changePassword = route('put', '/me/password', {
  access: 'signed-in',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Change your password and end your other sessions',
  request: body(z.strictObject({ current: z.string().min(1).max(128), next: password })),
  async handle(parts, context, { current, next }) {
    const { id: person, email } = context.get('session').person
    parts.guessLimiter.count(context.env.address, `account ${person}`)
    checkNewPassword(next, email)
    const change = { currentPassword: current, newPassword: next, revokeOtherSessions: true }
    const { answer } = await parts.accounts.call('/change-password', browserOf(context), change)
    if (isWrong(answer)) noteFailure(parts, context, 'wrong-password', { person, isThem: true })
    passOn(context, answer, WRONG_PASSWORD)
    await noteActivity(parts, context, { person, event: 'change-password' })
  },
})

export const deleteMe = route('post', '/me/delete', {
  access: 'signed-in',
  [WITHIN_FIELD]: PASSWORD_ANSWERS_WITHIN_MS,
  summary: 'Delete your account, and leave all organizations',
  request: body(
    z.strictObject({
      email: z.string().max(254).describe('Your email address'),
      password: z.string().max(128).optional().describe('Needed if you have one'),
    }),
  ),
  async handle(parts, context, input) {
    const { person } = context.get('session')
    parts.guessLimiter.count(context.env.address, `account ${person.id}`)
    if (input.email.trim().toLowerCase() !== person.email)
      throw new ApiError('invalid_value', 'This is not your email address. Type it to delete your account.', 'email')
    const hash = await parts.store.passwordHash(person.id)
    if (hash !== undefined && !(await verifyPassword({ hash, password: input.password ?? '' }))) {
      noteFailure(parts, context, 'wrong-password', { person: person.id, isThem: true })
      throw new ApiError('wrong_sign_in', WRONG_PASSWORD)
    }
    const deletion = await parts.store.deletePerson({ person: person.id, isOwnWish: true })
    if (deletion.kind === 'only-owner') throw onlyOwner(deletion.organizations)
    await settleChange(parts, 'account', deletion.kind === 'done')
  },
})

function onlyOwner(names: readonly string[]): ApiError {
  return new ApiError(
    'last_owner',
    `You are the only owner of ${names.join(', ')}. Make someone else an owner, or delete the organization first.`,
  )
}
