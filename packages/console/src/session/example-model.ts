import { models as modelsQuery } from '../api/queries/models.ts'
import { bestFirst } from '../lib/best-first.ts'
import { plainModelName } from '../lib/snippets.ts'
import { useRead } from './use-read.ts'

/** A model for examples: enabled, served by a device if possible, better than the starter if there is one, with a name that needs no quoting. */
export function useExampleModel(): string {
  const { data = [] } = useRead(modelsQuery)
  const enabled = data.filter(({ state }) => state === 'enabled')
  return plainModelName(bestFirst(enabled).map(({ name }) => name))
}
