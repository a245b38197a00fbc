// Organizations and their settings.

import { ApiError } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { DELETION_GRACE_MS } from '../../store/people/delete-organization.ts'
import { actorOf, changeIn, takeEffect } from '../console.ts'
import { body, routesOf, json } from '../routes/route.ts'
import { dateTime, deletesAt, id, name, object, role, sealingMode, tokensPerMonth } from '../routes/shapes.ts'

const route = routesOf('Organization')

const separatesPrefixes = z
  .boolean()
  .describe(
    'Devices reuse only prompts of the same API key, so response times reveal nothing about the prompts of others. Devices that cannot do this (local servers, outdated apps) get no requests',
  )

const organization = object('Organization', {
  id,
  name: z.string(),
  createdAt: dateTime,
  role,
  separatesPrefixes,
  sealing: sealingMode,
  tokensPerMonth: tokensPerMonth.nullable(),
  deletesAt,
})

export const createOrganization = route('post', '/organizations', {
  access: 'signed-in',
  summary: 'Create an organization and become its owner, if the gateway allows it',
  request: body(z.strictObject({ name })),
  responses: json('The organization', organization),
  async handle(parts, context, input) {
    if (!parts.peopleMakeOrganizations)
      throw new ApiError('not_permitted', 'Only the operator of this gateway can create organizations.')
    const created = await parts.store.createOrganization({
      name: input.name,
      owner: { person: context.get('session').person.id },
      mostOwned: parts.organizationsPerPerson,
      by: actorOf(context),
    })
    return { ...created, role: 'owner' as const }
  },
})

export const readOrganization = route('get', '/organizations/{organization}', {
  access: 'organization.read',
  summary: 'Get the organization and your role in it',
  responses: json('The organization', organization),
  handle(_parts, context) {
    const { organization: own, role: held } = context.get('membership')
    return { ...own, role: held }
  },
})

export const changeOrganization = route('patch', '/organizations/{organization}', {
  access: 'organization.change',
  summary: 'Rename the organization, or change its settings',
  request: body(
    z.strictObject({
      name: name.optional(),
      separatesPrefixes: separatesPrefixes.optional(),
      tokensPerMonth: tokensPerMonth.nullable().optional(),
    }),
  ),
  async handle(parts, context, { name: wanted, organization: known, ...settings }) {
    const change = { organization: known, by: actorOf(context) }
    if (wanted !== undefined) await parts.store.renameOrganization({ ...change, name: wanted })
    if (Object.keys(settings).length === 0) return
    await parts.store.changeSettings({ ...change, ...settings })
    await takeEffect(parts)
  },
})

export const deleteOrganization = route('post', '/organizations/{organization}/delete', {
  access: 'organization.delete',
  summary: 'Stop all access to the organization, and delete it in seven days',
  request: body(z.strictObject({ name: z.string().max(256).describe('The name of the organization') })),
  responses: json('When it will be deleted', z.object({ deletesAt: dateTime })),
  async handle(parts, context, { name: typed }) {
    const { organization: known } = context.get('membership')
    if (typed !== known.name)
      throw new ApiError('invalid_value', 'This is not the name of the organization. Type it to delete it.', 'name')
    const at = known.deletesAt ?? new Date(Date.now() + DELETION_GRACE_MS)
    await parts.store.deleteOrganization({ ...changeIn(context), deletesAt: at })
    await takeEffect(parts)
    return { deletesAt: at }
  },
})

export const restoreOrganization = route('post', '/organizations/{organization}/restore', {
  access: 'organization.delete',
  summary: 'Keep an organization that is being deleted. Everything works as before',
  async handle(parts, context) {
    if (!(await parts.store.restoreOrganization(changeIn(context))))
      throw new ApiError('being_deleted', 'It is too late: the data of this organization is being deleted.')
    await takeEffect(parts)
  },
})
