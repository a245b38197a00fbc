// Looks which local servers run, before their owner has agreed to anything: it only asks for their lists of models, without a key, and loads
// nothing. Anything may listen at these addresses, so what it reads is bounded and believed only as far as people are shown it.

import { MAX_MODELS_PER_DEVICE, MAX_NAME_LENGTH } from '@hearth/protocol'
import { asFields, asList, text, type Fields } from '@hearth/sealing/fields'
import { call, parseJson, readText } from '../http/http-call.ts'
import { readServerAddress } from '../http/server-address.ts'
import type { ProductName } from './product.ts'

/** Ollama, llama-server, LM Studio, vLLM. */
export const USUAL_PLACES = [11_434, 8_080, 1_234, 8_000].map((port) => `http://127.0.0.1:${port}`)

export interface SeenServer {
  url: string
  product: ProductName
  /** At least one, by the server's names. */
  models: string[]
}

const LOOK_MS = 1_000
const MAX_LIST_BYTES = 1024 * 1024

/** What each server calls the owner of its models. Ollama names a real one. */
const OWNERS: Readonly<Record<string, ProductName>> = {
  llamacpp: 'llama-server',
  vllm: 'vllm',
  organization_owner: 'lm-studio',
  'organization-owner': 'lm-studio',
}

/** In the order of the places. Takes a second at most. */
export async function lookAround(places: readonly string[], signal: AbortSignal): Promise<SeenServer[]> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])
  // Nothing listens in most of these places.
  const seen = await Promise.all(places.map((url) => lookAt(url, bounded).catch(() => undefined)))
  return seen.filter((server) => server !== undefined)
}

async function lookAt(url: string, signal: AbortSignal): Promise<SeenServer | undefined> {
  const items = listIn(await getList(url, '/v1/models', signal), 'data')
  const models = items.map((item) => text(item, 'id') ?? '').filter(isName)
  if (models.length === 0) return undefined
  const known = OWNERS[text(items[0] ?? {}, 'owned_by') ?? '']
  return { url, product: known ?? (await tellOllama(url, signal)), models: [...new Set(models)] }
}

/** llama-server has this list too, but without digests. */
async function tellOllama(url: string, signal: AbortSignal): Promise<ProductName> {
  const tags = await getList(url, '/api/tags', signal).catch(() => undefined)
  return listIn(tags, 'models').some((item) => Boolean(text(item, 'digest'))) ? 'ollama' : 'other'
}

async function getList(url: string, path: string, signal: AbortSignal): Promise<unknown> {
  const answer = await call(readServerAddress(url), path, undefined, signal)
  if (answer.status === 200) return parseJson(await readText(answer.body, MAX_LIST_BYTES))
  await answer.close()
  return undefined
}

function listIn(value: unknown, key: string): Fields[] {
  return asList(asFields(value)[key]).slice(0, MAX_MODELS_PER_DEVICE).map(asFields)
}

function isName(id: string): boolean {
  return id !== '' && id.length <= MAX_NAME_LENGTH
}
