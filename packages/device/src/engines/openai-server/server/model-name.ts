// How people name a model of a server.

import type { ProductName } from './product.ts'

/** Ollama lists every model with a tag, and people leave out the usual one. */
const USUAL_TAG = ':latest'

/** True if the owner means this model, which the server lists as `id`. */
export function isNamed(name: string, id: string, product: ProductName): boolean {
  return name === id || (product === 'ollama' && `${name}${USUAL_TAG}` === id)
}
