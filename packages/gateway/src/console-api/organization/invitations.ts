import { GRANTS } from '../../access/policy.ts'
import { createInvitationToken } from '../../access/secrets/secrets.ts'
import type { Invitation } from '../../store/people/invitation-rows.ts'
import { changeIn, organizationOf, sharedUrl, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { settleChange } from '../guard/guard.ts'
import * as routes from '../routes/members.ts'
import { show } from '../routes/show.ts'
import { settleMemberChange } from './members.ts'

const INVITATION_MS = 7 * 86_400_000

export function addInvitations(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts
  const most = () => parts.organizationQuota.invitations

  app.openapi(routes.listInvitations, async (context) => {
    const { offset, limit } = context.req.valid('query')
    const page = { organization: organizationOf(context), at: new Date(), offset, limit }
    const { invitations, count } = await store.pageInvitations(page)
    return context.json({ invitations: invitations.map(showInvitation), count, most: most() }, 200)
  })

  app.openapi(routes.createInvitation, async (context) => {
    const { role, email } = context.req.valid('json')
    const { role: own } = context.get('membership')
    if (!GRANTS[own].includes(role)) await settleMemberChange(parts, context, 'members.invite', '', 'rejected')
    const { key: token, digest } = createInvitationToken()
    const { person } = context.get('session')
    const created = await store.createInvitation({
      ...changeIn(context),
      role,
      digest,
      expiresAt: new Date(Date.now() + INVITATION_MS),
      ...(email && { email }),
      invitedBy: person.id,
      most: most(),
    })
    // After the #, because browsers do not send that part, so it ends up in no server's log.
    const link = `${sharedUrl(parts, context)}/invitation#${token}`
    return context.json({ invitation: showInvitation(created), link }, 200)
  })

  app.openapi(routes.revokeInvitation, async (context) => {
    const { invitation } = context.req.valid('param')
    const isDone = await store.revokeInvitation({ ...changeIn(context), invitation })
    return settleChange(parts, context, 'invitation', isDone)
  })
}

function showInvitation(row: Invitation) {
  return show(routes.invitation, { ...row, invitedBy: row.invitedByName })
}
