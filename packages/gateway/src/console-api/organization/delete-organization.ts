import { ApiError } from '@hearth/chat'
import { DELETION_GRACE_MS } from '../../store/people/delete-organization.ts'
import { actorOf, organizationOf, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/organization.ts'

export function addOrganizationDeletion(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.deleteOrganization, async (context) => {
    const { organization } = context.get('membership')
    if (context.req.valid('json').name !== organization.name)
      throw new ApiError('invalid_value', 'This is not the name of the organization. Type it to delete it.', 'name')
    const deletesAt = organization.deletesAt ?? new Date(Date.now() + DELETION_GRACE_MS)
    await store.deleteOrganization({ organization: organization.id, deletesAt, by: actorOf(context) })
    await takeEffect(parts)
    return context.json({ deletesAt: deletesAt.toISOString() }, 200)
  })

  app.openapi(routes.restoreOrganization, async (context) => {
    const isRestored = await store.restoreOrganization({ organization: organizationOf(context), by: actorOf(context) })
    if (!isRestored)
      throw new ApiError('being_deleted', 'It is too late: the data of this organization is being deleted.')
    await takeEffect(parts)
    return context.body(null, 204)
  })
}
