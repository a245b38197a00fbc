// A model by its exact name, among those of the caller's organization only.

import type { AccessBook, Caller } from '../access/access-book.ts'
import { ApiError } from '../errors.ts'
import type { AccessModel } from '../store/store.ts'
import { modelDisabled } from './outcome-error.ts'
import { shorten } from '../json/fields.ts'

/** For a completion: a disabled or removed model is told apart from one that never existed. */
export function findModel(name: string, caller: Caller, book: AccessBook): AccessModel {
  const model = book.models(caller.organization).get(name)
  if (!model || !mayUse(caller, name)) throw modelNotFound(name)
  if (model.state !== 'enabled') throw modelDisabled(name)
  return model
}

/** A key may be made for some models only; the others do not exist for it. */
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
