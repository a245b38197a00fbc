import { useQuery, type QueryKey, type UseQueryOptions } from '@tanstack/react-query'
import { useSession } from './session.ts'

/** Data of the organization: `useRead(models)`, or `useRead(modelDefaults, name)` for a query about something in it. */
export function useRead<Data, Details extends unknown[], Key extends QueryKey>(
  query: (organization: string, ...details: Details) => UseQueryOptions<Data, Error, Data, Key>,
  ...details: Details
) {
  const { organization } = useSession()
  return useQuery(query(organization.id, ...details))
}
