import { useMutation } from '@tanstack/react-query'
import { refetchChanged, type Change } from '../api/changes.ts'
import { organizationApi, type OrganizationApi } from '../api/organization-api.ts'
import { useSession } from './session.ts'

/** A change to the organization. It is done once the data that it affects has been fetched again. */
export function useChange<Input = void, Output = void>(
  changes: readonly Change[],
  act: (own: OrganizationApi, input: Input) => Promise<Output>,
) {
  const { organization } = useSession()
  return useMutation<Output, Error, Input>({
    mutationFn: async (input) => act(organizationApi(organization.id), input),
    onSuccess: async () => refetchChanged(organization.id, changes),
  })
}
