import { organizationApi } from '../../../api/organization-api.ts'
import type { RequestFilter } from './request-filters.tsx'

export async function readRequests(
  organization: string,
  filter: RequestFilter,
  before: number | null,
  limit: number,
  signal?: AbortSignal,
) {
  const query = { ...filter, limit, ...(before !== null && { before }) }
  return organizationApi(organization, signal).get('/requests', { query })
}
