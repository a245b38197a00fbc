import { ApiError } from '@hearth/chat'
import { actorOf, changeIn, takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { DELETION_GRACE_MS } from '../../store/people/delete-organization.ts'
import * as routes from '../routes/organization.ts'
import { show } from '../routes/show.ts'

export function addOrganization(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.createOrganization, async (context) => {
    if (!parts.peopleMakeOrganizations)
      throw new ApiError('not_permitted', 'Only the operator of this gateway can create organizations.')
    const { person } = context.get('session')
    const { name } = context.req.valid('json')
    const created = await store.createOrganization({
      name,
      owner: { person: person.id },
      mostOwned: parts.organizationsPerPerson,
      by: actorOf(context),
    })
    return context.json(show(routes.organization, { ...created, role: 'owner' }), 200)
  })

  app.openapi(routes.readOrganization, (context) => {
    const { organization, role } = context.get('membership')
    return context.json(show(routes.organization, { ...organization, role }), 200)
  })

  app.openapi(routes.changeOrganization, async (context) => {
    const { name, ...settings } = context.req.valid('json')
    const change = changeIn(context)
    if (name !== undefined) await store.renameOrganization({ ...change, name })
    if (Object.keys(settings).length > 0) {
      await store.changeSettings({ ...change, ...settings })
      await takeEffect(parts)
    }
    return context.body(null, 204)
  })
}

export function addOrganizationDeletion(app: ConsoleApp, parts: ConsoleParts): void {
  const { store } = parts

  app.openapi(routes.deleteOrganization, async (context) => {
    const { organization } = context.get('membership')
    if (context.req.valid('json').name !== organization.name)
      throw new ApiError('invalid_value', 'This is not the name of the organization. Type it to delete it.', 'name')
    const deletesAt = organization.deletesAt ?? new Date(Date.now() + DELETION_GRACE_MS)
    await store.deleteOrganization({ ...changeIn(context), deletesAt })
    await takeEffect(parts)
    return context.json({ deletesAt: deletesAt.toISOString() }, 200)
  })

  app.openapi(routes.restoreOrganization, async (context) => {
    if (!(await store.restoreOrganization(changeIn(context))))
      throw new ApiError('being_deleted', 'It is too late: the data of this organization is being deleted.')
    await takeEffect(parts)
    return context.body(null, 204)
  })
}
