import { keepPreviousData } from '@tanstack/react-query'
import { organizationQuery } from './organization-query.ts'

export function members(organization: string) {
  return organizationQuery(organization, ['members'], async (own) => own.get('/members'))
}

export const INVITATION_PAGE = 100

/** Shows the page before until this one is here. */
export function invitations(organization: string, page: number) {
  const query = organizationQuery(organization, ['invitations', page], async (own) =>
    own.get('/invitations', { query: { offset: page * INVITATION_PAGE, limit: INVITATION_PAGE } }),
  )
  return { ...query, placeholderData: keepPreviousData }
}
