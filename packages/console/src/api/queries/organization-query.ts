import { queryOptions } from '@tanstack/react-query'
import { organizationApi, type OrganizationApi } from '../organization-api.ts'

/** A query for data of an organization. `changes.ts` says which changes make the data with this name out of date. */
export function organizationQuery<Data>(
  organization: string,
  [name, ...details]: readonly [name: string, ...details: unknown[]],
  read: (own: OrganizationApi) => Promise<Data>,
) {
  return queryOptions({
    queryKey: [organization, name, ...details],
    queryFn: async ({ signal }) => read(organizationApi(organization, signal)),
  })
}
