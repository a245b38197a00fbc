import { useQuery } from '@tanstack/react-query'
import { modelDefaults } from '../../../api/queries/models.ts'
import { useSession } from '../../../session/session.ts'
import type { Model } from './lane-model.ts'

/** The defaults of the model, if there is only one. */
export function useOnlyDefaults(models: readonly Model[]) {
  const { organization } = useSession()
  const [first] = models
  const { data } = useQuery({
    ...modelDefaults(organization.id, first?.name ?? ''),
    enabled: first !== undefined && models.length === 1,
  })
  return models.length === 1 ? data : undefined
}
