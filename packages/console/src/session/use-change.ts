import { useMutation } from '@tanstack/react-query'
import { readAgain, type Change } from '../api/changes.ts'
import type { OrganizationPath } from '../api/queries/organization-query.ts'
import { useSession } from './session.ts'

/** A change to the organization. It is done once the data that it affects has been fetched again. */
export function useChange<Input = void, Output = void>(
  changes: readonly Change[],
  act: (path: OrganizationPath, input: Input) => Promise<Output>,
) {
  const { organization } = useSession()
  return useMutation<Output, Error, Input>({
    mutationFn: async (input) => act({ organization: organization.id }, input),
    onSuccess: async () => readAgain(organization.id, changes),
  })
}
