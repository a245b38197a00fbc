import { useQuery, type keepPreviousData } from '@tanstack/react-query'
import { readQuery, type ReadArguments, type ReadPath } from '../api/organization-api.ts'
import { useSession } from './session.ts'

interface ReadSettings {
  enabled?: boolean
  /** `static`: it changes only with a new version of the gateway. */
  staleTime?: number | 'static'
  gcTime?: number
  refetchInterval?: number
  placeholderData?: typeof keepPreviousData
}

/** Data of the organization: `useRead('/models')`, or `useRead('/keys/{key}', { key })`. */
export function useRead<Path extends ReadPath>(
  path: Path,
  ...[options, settings]: [...ReadArguments<Path>, settings?: ReadSettings]
) {
  const { organization } = useSession()
  return useQuery({ ...readQuery(organization.id, path, ...([options] as ReadArguments<Path>)), ...settings })
}
