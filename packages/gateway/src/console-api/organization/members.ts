import { hashPassword } from '../../access/accounts/accounts.ts'
import { createInvitationToken, digestSecret } from '../../access/secrets/secrets.ts'
import { GRANTS } from '../../access/policy.ts'
import { ApiError } from '../../errors.ts'
import type { Acceptance } from '../../store/people/accept-invitation.ts'
import type { Invitation } from '../../store/people/invitation-rows.ts'
import type { ByMember, MemberChange } from '../../store/people/members.ts'
import type { Role } from '../../store/tables/people.ts'
import { signInWith } from '../account/sign-in-with.ts'
import {
  actorOf,
  sharedUrl,
  organizationOf,
  takeEffect,
  type ConsoleParts,
  type ConsoleApp,
  type ConsoleContext,
} from '../console.ts'
import * as routes from '../routes/members.ts'
import { recordRefusal, notFound } from '../guard/guard.ts'

const INVITATION_MS = 7 * 86_400_000

export function addMembers(app: ConsoleApp, parts: ConsoleParts): void {
  addPeople(app, parts)
  addInvitations(app, parts)
  addAcceptance(app, parts)
}

function addPeople(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.listMembers, async (context) => {
    const { person } = context.get('session')
    const members = await store.listMembers(organizationOf(context))
    const shown = members.map(({ person: id, name, email, role, joinedAt, activeKeys }) => {
      const moments = { joinedAt: joinedAt.toISOString() }
      return { person: id, name, email, role, ...moments, activeKeys, isYou: id === person.id }
    })
    return context.json({ members: shown, grantableRoles: [...GRANTS[context.get('membership').role]] }, 200)
  })

  app.openapi(routes.changeMember, async (context) => {
    const { role } = context.req.valid('json')
    const place = { organization: organizationOf(context), person: context.req.valid('param').person }
    const change = await store.changeRole({ ...place, role, ...byAdmin(context, role) })
    await settle(parts, context, 'members.change', place.person, change)
    return context.body(null, 204)
  })

  app.openapi(routes.removeMember, async (context) => {
    const place = { organization: organizationOf(context), person: context.req.valid('param').person }
    const change = await store.removeMember({ ...place, ...byAdmin(context) })
    await settle(parts, context, 'members.remove', place.person, change)
    return context.body(null, 204)
  })

  app.openapi(routes.leaveOrganization, async (context) => {
    const place = { organization: organizationOf(context), person: context.get('session').person.id }
    const change = await store.removeMember({ ...place, by: actorOf(context), permits: () => true })
    await settle(parts, context, 'members.leave', place.person, change)
    return context.body(null, 204)
  })
}

/** Nobody can change a role that they could not grant, or grant one. */
function byAdmin(context: ConsoleContext, given?: Role): Required<ByMember> {
  return {
    by: actorOf(context),
    permits: ({ actor, target }) => {
      const roles = actor ? GRANTS[actor] : []
      return roles.includes(target) && (given === undefined || roles.includes(given))
    },
  }
}

async function settle(
  parts: ConsoleParts,
  context: ConsoleContext,
  action: string,
  person: string,
  change: MemberChange,
): Promise<void> {
  if (change === 'done') return await takeEffect(parts)
  if (change === 'unknown') throw notFound('member')
  const organization = organizationOf(context)
  await recordRefusal(parts, context, { organization, action, object: { kind: 'member', id: person, name: '' } })
  if (change === 'last-owner')
    throw new ApiError('last_owner', 'An organization needs at least one owner. Make someone else an owner first.')
  throw new ApiError('not_permitted', 'Your role does not allow you to give or take this role.')
}

function addInvitations(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.listInvitations, async (context) => {
    const invitations = await store.listInvitations({ organization: organizationOf(context), at: new Date() })
    return context.json({ invitations: invitations.map(showInvitation) }, 200)
  })

  app.openapi(routes.createInvitation, async (context) => {
    const { role, email } = context.req.valid('json')
    const { role: own } = context.get('membership')
    if (!GRANTS[own].includes(role)) await settle(parts, context, 'members.invite', '', 'refused')
    const { key: token, digest } = createInvitationToken()
    const { person } = context.get('session')
    const created = await store.createInvitation({
      organization: organizationOf(context),
      role,
      digest,
      expiresAt: new Date(Date.now() + INVITATION_MS),
      ...(email && { email }),
      invitedBy: person.id,
      by: actorOf(context),
    })
    // After the #, because browsers do not send that part, so it ends up in no server's log.
    const link = `${sharedUrl(parts, context)}/invitation#${token}`
    return context.json({ invitation: showInvitation(created), link }, 200)
  })

  app.openapi(routes.revokeInvitation, async (context) => {
    const { invitation } = context.req.valid('param')
    const by = actorOf(context)
    const isDone = await store.revokeInvitation({ organization: organizationOf(context), invitation, by })
    if (!isDone) throw notFound('invitation')
    return context.body(null, 204)
  })
}

function addAcceptance(app: ConsoleApp, parts: ConsoleParts): void {
  const { store, guessLimiter } = parts

  app.openapi(routes.lookUpInvitation, async (context) => {
    guessLimiter.count(context.env.address)
    const digest = digestSecret(context.req.valid('json').token)
    const found = await store.findInvitation({ digest, at: new Date() })
    if (!found) throw invalidLink()
    const { organizationName: organization, role, email, expiresAt } = found
    return context.json({ organization, role, email: email ?? null, expiresAt: expiresAt.toISOString() }, 200)
  })

  app.openapi(routes.acceptInvitation, async (context) => {
    const { token, person } = context.req.valid('json')
    const { address } = context.env
    guessLimiter.count(address)
    const digest = digestSecret(token)
    // Check this before hashing the password, which takes a while.
    if (!(await store.findInvitation({ digest, at: new Date() }))) throw invalidLink()
    const as = person
      ? { name: person.name, email: person.email, passwordHash: await hashPassword(person.password) }
      : { person: await personOf(parts, context) }
    const accepted = await store.acceptInvitation({ digest, at: new Date(), as, address })
    if (accepted.kind !== 'joined') throw refusal(accepted.kind)
    await takeEffect(parts)
    if (person) await signInWith(parts, context, person.email, person.password)
    return context.json({ organization: accepted.organization }, 200)
  })
}

async function personOf({ accounts }: ConsoleParts, context: ConsoleContext): Promise<string> {
  const session = await accounts.session(context.req.raw.headers)
  if (session) return session.person.id
  throw new ApiError('not_signed_in', 'Sign in, or send a name, an email address and a password.')
}

function refusal(kind: Exclude<Acceptance['kind'], 'joined'>): ApiError {
  switch (kind) {
    case 'unknown':
      return invalidLink()
    case 'wrong-person':
      return new ApiError('not_permitted', 'This invitation is for another email address.')
    case 'member-already':
      return new ApiError('conflict', 'You are already a member of this organization.')
    case 'sign-in-first':
      return new ApiError('conflict', 'This email address already has an account. Sign in, then open the link again.')
    default:
      return kind satisfies never
  }
}

function invalidLink(): ApiError {
  return new ApiError('invalid_link', 'This invitation is no longer valid. Ask for a new one.')
}

function showInvitation({ id, role, email, createdAt, expiresAt, invitedByName }: Invitation) {
  return {
    id,
    role,
    email: email ?? null,
    createdAt: createdAt.toISOString(),
    expiresAt: expiresAt.toISOString(),
    invitedBy: invitedByName ?? null,
  }
}
