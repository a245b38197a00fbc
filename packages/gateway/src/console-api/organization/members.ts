// Members of an organization.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { GRANTS } from '../../access/policy.ts'
import type { ByMember, MemberChange } from '../../store/people/members.ts'
import type { Role } from '../../store/tables/people.ts'
import { actorOf, changeIn, organizationOf, takeEffect, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { notFound, recordRejection } from '../guard/guard.ts'
import { body, routesOf, json } from '../routes/route.ts'
import { dateTime, id, object, role, tokensPerMonth } from '../routes/shapes.ts'

const route = routesOf('Members')

const member = object('Member', {
  person: id,
  name: z.string(),
  email: z.string(),
  role,
  isYou: z.boolean(),
  joinedAt: dateTime,
  activeKeys: z.int().min(0).describe('How many keys would stop working if the person left'),
  tokensPerMonth: tokensPerMonth.nullable(),
})

export const listMembers = route('get', '/organizations/{organization}/members', {
  access: 'members.read',
  summary: 'List the members of the organization',
  responses: json(
    'The members, and the roles that you can grant and take away',
    z.object({ members: z.array(member), grantableRoles: z.array(role) }),
  ),
  async handle({ store }, context) {
    const { person } = context.get('session')
    const members = await store.listMembers(organizationOf(context))
    return {
      members: members.map((row) => ({ ...row, isYou: row.person === person.id })),
      grantableRoles: GRANTS[context.get('membership').role],
    }
  },
})

export const changeMember = route('patch', '/organizations/{organization}/members/{person}', {
  access: 'members.change',
  summary: 'Change the role or the monthly budget of a member. The last owner stays an owner',
  request: body(z.strictObject({ role: role.optional(), tokensPerMonth: tokensPerMonth.nullable().optional() })),
  async handle(parts, context, { organization, person, role: wanted, tokensPerMonth: budget }) {
    const { store } = parts
    const place = { organization, person }
    const settle = (change: MemberChange) => settleMemberChange(parts, context, 'members.change', person, change)
    if (wanted) await settle(await store.changeRole({ ...place, role: wanted, ...byAdmin(context, wanted) }))
    if (budget !== undefined)
      await settle(await store.changeMemberBudget({ ...place, tokensPerMonth: budget, ...byAdmin(context) }))
  },
})

export const removeMember = route('delete', '/organizations/{organization}/members/{person}', {
  access: 'members.remove',
  summary: 'Remove a member. Their keys stop working',
  async handle(parts, context, { organization, person }) {
    const change = await parts.store.removeMember({ organization, person, ...byAdmin(context) })
    await settleMemberChange(parts, context, 'members.remove', person, change)
  },
})

export const leaveOrganization = route('post', '/organizations/{organization}/leave', {
  access: 'members.leave',
  summary: 'Leave the organization. Your keys stop working. The last owner cannot leave',
  async handle(parts, context) {
    const { id: person } = context.get('session').person
    const change = await parts.store.removeMember({ ...changeIn(context), person, permits: () => true })
    await settleMemberChange(parts, context, 'members.leave', person, change)
  },
})

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

export async function settleMemberChange(
  parts: ConsoleParts,
  context: ConsoleContext,
  action: string,
  person: string,
  change: MemberChange,
): Promise<void> {
  if (change === 'done') return await takeEffect(parts)
  if (change === 'unknown') throw notFound('member')
  const organization = organizationOf(context)
  await recordRejection(parts, context, { organization, action, object: { kind: 'member', id: person, name: '' } })
  if (change === 'last-owner')
    throw new ApiError('last_owner', 'An organization needs at least one owner. Make someone else an owner first.')
  throw new ApiError('not_permitted', 'Your role does not allow you to give or take this role.')
}
