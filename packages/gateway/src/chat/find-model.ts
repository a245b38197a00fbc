// Finds a model of the caller's organization by its exact name.

import { ApiError, modelDisabled, shorten } from '@hearth/chat'
import type { AccessBook, Caller } from '../access/book/access-book.ts'
import type { Model } from '../store/models.ts'

/** Names that an error lists. */
const MOST_NAMES = 5

/** For completions, which distinguish a disabled or removed model from one that never existed. */
export function findModel(name: string, caller: Caller, book: AccessBook): Model {
  const model = book.models(caller.organization).get(name)
  if (!model || model.state === 'adding' || !mayUse(caller, name)) throw modelNotFound(name, usableModels(caller, book))
  if (model.state !== 'enabled') throw modelDisabled(name)
  return model
}

/** A key can be limited to some models; the others do not exist for it. */
export function mayUse({ models }: Caller, name: string): boolean {
  return models === undefined || models.has(name)
}

export function usableModels(caller: Caller, book: AccessBook): Model[] {
  return [...book.models(caller.organization).values()].filter(
    (model) => model.state === 'enabled' && mayUse(caller, model.name),
  )
}

/** `usable` are models that the caller could use instead. */
export function modelNotFound(name: string, usable: readonly Model[] = []): ApiError {
  const instead = usable.length === 0 ? '' : ` You can use ${listNames(usable)}.`
  const message = `The model \`${shorten(name)}\` does not exist or you do not have access to it.${instead}`
  return new ApiError('model_not_found', message, 'model')
}

function listNames(models: readonly Model[]): string {
  const shown = models.slice(0, MOST_NAMES).map(({ name }) => `\`${shorten(name)}\``)
  const hidden = models.length - shown.length
  return hidden > 0 ? `${shown.join(', ')} and ${hidden} more` : shown.join(', ')
}
