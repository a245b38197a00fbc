import { infiniteQueryOptions } from '@tanstack/react-query'
import { api, send } from '../client.ts'
import { organizationQuery } from './organization-query.ts'

const AUDIT_PAGE = 50

export function overview(organization: string) {
  return organizationQuery(organization, ['overview'], async (path, signal) =>
    send(api.GET('/organizations/{organization}/overview', { params: { path }, signal })),
  )
}

export function organizationSettings(organization: string) {
  return organizationQuery(organization, ['organization'], async (path, signal) =>
    send(api.GET('/organizations/{organization}', { params: { path }, signal })),
  )
}

export function audit(organization: string) {
  return infiniteQueryOptions({
    queryKey: [organization, 'audit'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: AUDIT_PAGE, ...(pageParam !== null && { before: pageParam }) }
      return send(api.GET('/organizations/{organization}/audit', { params: { path: { organization }, query }, signal }))
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
}
