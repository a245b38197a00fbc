import { api, send } from '../client.ts'
import { organizationQuery } from './organization-query.ts'

export function members(organization: string) {
  return organizationQuery(organization, ['members'], async (path, signal) =>
    send(api.GET('/organizations/{organization}/members', { params: { path }, signal })),
  )
}

export function invitations(organization: string) {
  return organizationQuery(organization, ['invitations'], async (path, signal) => {
    const answer = await send(api.GET('/organizations/{organization}/invitations', { params: { path }, signal }))
    return answer.invitations
  })
}
