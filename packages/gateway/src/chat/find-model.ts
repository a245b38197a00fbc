// Finds a model of the caller's organization by its exact name.

import type { AccessBook, Caller } from '../access/book/access-book.ts'
import { ApiError } from '../errors.ts'
import type { AccessModel } from '../store/revisions/access-rows.ts'
import { modelDisabled } from './reply/outcome-error.ts'
import { shorten } from '../json/fields.ts'

/** For completions, which distinguish a disabled or removed model from one that never existed. */
export function findModel(name: string, caller: Caller, book: AccessBook): AccessModel {
  const model = book.models(caller.organization).get(name)
  if (!model || model.state === 'adding' || !mayUse(caller, name)) throw modelNotFound(name)
  if (model.state !== 'enabled') throw modelDisabled(name)
  return model
}

/** A key can be limited to some models; the others do not exist for it. */
export function mayUse({ models }: Caller, name: string): boolean {
  return models === undefined || models.has(name)
}

export function modelNotFound(name: string): ApiError {
  return new ApiError(
    'model_not_found',
    `The model \`${shorten(name)}\` does not exist or you do not have access to it.`,
    'model',
  )
}
