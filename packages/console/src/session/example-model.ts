import { useQuery } from '@tanstack/react-query'
import { models as modelsQuery } from '../api/queries/models.ts'
import { plainModelName } from '../lib/snippets.ts'
import { useSession } from './session.ts'

/** A model for examples: enabled, served by a device if possible, better than the starter if there is one, with a name that needs no quoting. */
export function useExampleModel(): string {
  const { organization } = useSession()
  const { data = [] } = useQuery(modelsQuery(organization.id))
  const enabled = data.filter(({ state }) => state === 'enabled')
  const served = enabled.filter(({ devices }) => devices.length > 0)
  const better = served.filter(({ known }) => known?.isStarter !== true)
  return plainModelName([...better, ...served, ...enabled].map(({ name }) => name))
}
