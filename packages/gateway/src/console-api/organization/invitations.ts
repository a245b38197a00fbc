// Invitations. An invitation is a link that lets one person join, once.

import { z } from '@hono/zod-openapi'
import { GRANTS } from '../../access/policy.ts'
import { createInvitationToken } from '../../access/secrets/secrets.ts'
import type { Invitation } from '../../store/people/invitation-rows.ts'
import { changeIn, sharedUrl } from '../console.ts'
import { requireDone } from '../guard/guard.ts'
import { body, routesOf, json } from '../routes/route.ts'
import { count, dateTime, email, id, object, page, role } from '../routes/shapes.ts'
import { settleMemberChange } from './members.ts'

const route = routesOf('Members')
const INVITATION_MS = 7 * 86_400_000

const invitation = object('Invitation', {
  id,
  role,
  email: z.string().nullable().describe('The only email address that can accept it; null means anyone with the link'),
  createdAt: dateTime,
  expiresAt: dateTime,
  invitedBy: z.string().nullable(),
})

export const listInvitations = route('get', '/organizations/{organization}/invitations', {
  access: 'members.invite',
  summary: 'List unused invitations, a page at a time, newest first',
  request: { query: z.object(page) },
  responses: json(
    'A page of invitations, without their links',
    z.object({
      invitations: z.array(invitation),
      count: count.describe('How many there are on all pages'),
      most: count.describe('How many the organization may have'),
    }),
  ),
  async handle({ store, organizationQuota }, _context, asked) {
    const { invitations, count: all } = await store.pageInvitations({ ...asked, at: new Date() })
    return { invitations: invitations.map(describeInvitation), count: all, most: organizationQuota.invitations }
  },
})

export const createInvitation = route('post', '/organizations/{organization}/invitations', {
  access: 'members.invite',
  summary:
    'Create a link that lets one person join within seven days. An organization can have a limited number of unused links',
  request: body(z.strictObject({ role, email: email.optional() })),
  responses: json('The link, which is shown only once', z.object({ invitation, link: z.string() })),
  async handle(parts, context, input) {
    const { role: own } = context.get('membership')
    if (!GRANTS[own].includes(input.role)) await settleMemberChange(parts, context, 'members.invite', '', 'rejected')
    const { key: token, digest } = createInvitationToken()
    const created = await parts.store.createInvitation({
      ...changeIn(context),
      role: input.role,
      digest,
      expiresAt: new Date(Date.now() + INVITATION_MS),
      ...(input.email && { email: input.email }),
      invitedBy: context.get('session').person.id,
      most: parts.organizationQuota.invitations,
    })
    // After the #, because browsers do not send that part, so it ends up in no server's log.
    const link = `${sharedUrl(parts, context)}/invitation#${token}`
    return { invitation: describeInvitation(created), link }
  },
})

export const revokeInvitation = route('delete', '/organizations/{organization}/invitations/{invitation}', {
  access: 'members.invite',
  summary: 'Revoke an unused invitation',
  async handle({ store }, context, input) {
    const chosen = { ...changeIn(context), invitation: input.invitation }
    requireDone('invitation', await store.revokeInvitation(chosen))
  },
})

function describeInvitation(row: Invitation) {
  return { ...row, invitedBy: row.invitedByName }
}
