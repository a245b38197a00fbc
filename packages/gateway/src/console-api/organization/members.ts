import { ApiError } from '@hearth/chat'
import { GRANTS } from '../../access/policy.ts'
import type { ByMember, MemberChange } from '../../store/people/members.ts'
import type { Role } from '../../store/tables/people.ts'
import {
  actorOf,
  changeIn,
  organizationOf,
  takeEffect,
  type ConsoleApp,
  type ConsoleContext,
  type ConsoleParts,
} from '../console.ts'
import { notFound, recordRejection } from '../guard/guard.ts'
import * as routes from '../routes/members.ts'
import { show } from '../routes/show.ts'

export function addMembers(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.listMembers, async (context) => {
    const { person } = context.get('session')
    const members = await store.listMembers(organizationOf(context))
    const shown = members.map((row) => show(routes.member, { ...row, isYou: row.person === person.id }))
    return context.json({ members: shown, grantableRoles: [...GRANTS[context.get('membership').role]] }, 200)
  })

  app.openapi(routes.changeMember, async (context) => {
    const { role, tokensPerMonth } = context.req.valid('json')
    const place = { organization: organizationOf(context), person: context.req.valid('param').person }
    const settle = (change: MemberChange) => settleMemberChange(parts, context, 'members.change', place.person, change)
    if (role) await settle(await store.changeRole({ ...place, role, ...byAdmin(context, role) }))
    if (tokensPerMonth !== undefined)
      await settle(await store.changeMemberBudget({ ...place, tokensPerMonth, ...byAdmin(context) }))
    return context.body(null, 204)
  })

  app.openapi(routes.removeMember, async (context) => {
    const { person } = context.req.valid('param')
    const change = await store.removeMember({ organization: organizationOf(context), person, ...byAdmin(context) })
    await settleMemberChange(parts, context, 'members.remove', person, change)
    return context.body(null, 204)
  })

  app.openapi(routes.leaveOrganization, async (context) => {
    const { id: person } = context.get('session').person
    const change = await store.removeMember({ ...changeIn(context), person, permits: () => true })
    await settleMemberChange(parts, context, 'members.leave', person, change)
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
