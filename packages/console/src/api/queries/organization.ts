import { infiniteQueryOptions } from '@tanstack/react-query'
import { organizationApi } from '../organization-api.ts'
import { organizationQuery } from './organization-query.ts'

const AUDIT_PAGE = 50

export function overview(organization: string) {
  return organizationQuery(organization, ['overview'], async (own) => own.get('/overview'))
}

export function organizationSettings(organization: string) {
  return organizationQuery(organization, ['organization'], async (own) => own.get(''))
}

export function audit(organization: string) {
  return infiniteQueryOptions({
    queryKey: [organization, 'audit'],
    queryFn: async ({ signal, pageParam }) => {
      const query = { limit: AUDIT_PAGE, ...(pageParam !== null && { before: pageParam }) }
      return organizationApi(organization, signal).get('/audit', { query })
    },
    initialPageParam: null as string | null,
    getNextPageParam: ({ next }) => next,
  })
}
