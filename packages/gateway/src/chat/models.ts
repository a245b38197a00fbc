// The enabled models of an organization, whether or not a device serves them right now.

import type { AccessBook, Caller } from '../access/book/access-book.ts'
import type { AccessModel } from '../store/revisions/access-rows.ts'
import { mayUse, modelNotFound, usableModels } from './find-model.ts'

export function listModels(caller: Caller, book: AccessBook): string {
  return JSON.stringify({ object: 'list', data: usableModels(caller, book).map(shapeModel) })
}

export function retrieveModel(name: string, caller: Caller, book: AccessBook): string {
  const model = book.models(caller.organization).get(name)
  if (model?.state !== 'enabled' || !mayUse(caller, name)) throw modelNotFound(name, usableModels(caller, book))
  return JSON.stringify(shapeModel(model))
}

function shapeModel({ name, createdAt, ownedBy }: AccessModel) {
  return { id: name, object: 'model', created: Math.floor(createdAt.getTime() / 1000), owned_by: ownedBy }
}
