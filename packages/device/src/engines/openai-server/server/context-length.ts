// Finds out a model's context length if the list of models didn't include it. This runs after probing, because some servers only know it for
// a loaded model.

import { asFields, isCount, text } from '@hearth/sealing/fields'
import { callJson } from '../http/http-call.ts'
import { listServerModels } from './list-models.ts'
import type { Product } from './product.ts'
import type { ServerAddress } from '../http/server-address.ts'

/** The most common value among servers that don't report it. */
const USUAL = 4_096

export async function learnContextLength(
  address: ServerAddress,
  product: Product,
  model: string,
  signal: AbortSignal,
): Promise<number> {
  const listed = (await listServerModels(address, product, signal)).find(({ id }) => id === model)
  if (listed?.contextLength !== undefined) return listed.contextLength
  return product.name === 'ollama' ? askOllama(address, model, signal) : USUAL
}

// Older versions of Ollama don't show how a model is loaded. By default they load at most the usual length.
async function askOllama(address: ServerAddress, model: string, signal: AbortSignal): Promise<number> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(5_000)])
  const { value } = await callJson(address, '/api/show', { model }, bounded)
  const shown = asFields(value)
  const set = /^num_ctx\s+(\d+)/m.exec(text(shown, 'parameters') ?? '')
  if (set !== null) return Number(set[1])
  const [, most] = Object.entries(asFields(shown['model_info'])).find(([key]) => key.endsWith('.context_length')) ?? []
  return isCount(most) ? Math.min(USUAL, most) : USUAL
}
