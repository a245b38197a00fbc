import { bestFirst } from '../lib/best-first.ts'
import { plainModelName } from '../lib/snippets.ts'
import { useRead } from './use-read.ts'

/** The enabled models that these names allow, or all of them; those come first that are better for examples and new chats. */
export function useUsableModels(names: readonly string[] | null = null) {
  const models = useRead('/models').data?.models ?? []
  return bestFirst(models.filter(({ name, state }) => state === 'enabled' && (names?.includes(name) ?? true)))
}

/** A model for examples: enabled, served by a device if possible, better than the starter if there is one, with a name that needs no quoting. */
export function useExampleModel(): string {
  return plainModelName(useUsableModels().map(({ name }) => name))
}
