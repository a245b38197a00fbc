// Which server it is, found out by asking addresses that only one of them knows. Decides where context length and slots can be read and
// which extra fields a request may carry; never decides what is announced.

import { asFields, asList, asText } from './chunk.ts'
import { callJson } from './http-call.ts'
import type { ServerAddress } from './server-address.ts'

export type ProductName = 'ollama' | 'llama-server' | 'lm-studio' | 'vllm' | 'other'

export interface Product {
  name: ProductName
  /** Empty where the server does not tell. */
  version: string
}

/** How a person writes it. */
export const PRODUCT_TITLES: Record<ProductName, string> = {
  ollama: 'Ollama',
  'llama-server': 'llama-server',
  'lm-studio': 'LM Studio',
  vllm: 'vLLM',
  other: 'OpenAI-compatible server',
}

const LOOK_MS = 5_000

/** Throws EngineError when nothing answers. */
export async function recogniseProduct(address: ServerAddress, signal: AbortSignal): Promise<Product> {
  const ask = (path: string): Promise<unknown> => askQuietly(address, path, signal)
  const [props, version, studio, oldStudio, engine] = await Promise.all([
    ask('/props'),
    ask('/api/version'),
    ask('/api/v1/models'),
    ask('/api/v0/models'),
    ask('/version'),
  ])
  const build = asText(asFields(props)['build_info'])
  if (build !== '' || asFields(props)['default_generation_settings'] !== undefined)
    return { name: 'llama-server', version: build }
  if (asText(asFields(version)['version']) !== '') return { name: 'ollama', version: readVersion(version) }
  if (isStudioList(studio) || isOldStudioList(oldStudio)) return { name: 'lm-studio', version: '' }
  return readVersion(engine) === '' ? { name: 'other', version: '' } : { name: 'vllm', version: readVersion(engine) }
}

/** Undefined for any answer but a success in JSON; throws when nothing answers at all. */
export async function askQuietly(address: ServerAddress, path: string, signal: AbortSignal): Promise<unknown> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])
  const { status, value } = await callJson(address, path, undefined, bounded)
  return status === 200 ? value : undefined
}

function readVersion(value: unknown): string {
  return asText(asFields(value)['version'])
}

// LM Studio answers addresses it does not know with success, so only the shape counts.
function isStudioList(value: unknown): boolean {
  return asList(asFields(value)['models']).some((model) => asText(asFields(model)['key']) !== '')
}

function isOldStudioList(value: unknown): boolean {
  return asList(asFields(value)['data']).some((model) => asText(asFields(model)['state']) !== '')
}
