import { keepPreviousData } from '@tanstack/react-query'
import { api, send } from '../client.ts'
import { organizationQuery } from './organization-query.ts'

export function members(organization: string) {
  return organizationQuery(organization, ['members'], async (path, signal) =>
    send(api.GET('/organizations/{organization}/members', { params: { path }, signal })),
  )
}

export const INVITATION_PAGE = 100

/** Shows the page before until this one is here. */
export function invitations(organization: string, page: number) {
  const query = organizationQuery(organization, ['invitations', page], async (path, signal) => {
    const params = { path, query: { offset: page * INVITATION_PAGE, limit: INVITATION_PAGE } }
    return send(api.GET('/organizations/{organization}/invitations', { params, signal }))
  })
  return { ...query, placeholderData: keepPreviousData }
}
