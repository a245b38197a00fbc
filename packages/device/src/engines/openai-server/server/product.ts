// Identifies the server by endpoints that only one product has. The result decides where to read context length and slots, and which extra
// fields a request may contain; it never decides which features are announced.

import { asFields, asList, text } from '@hearth/sealing/fields'
import { callJson, isKeyRefused, KeyError } from '../http/http-call.ts'
import type { ServerAddress } from '../http/server-address.ts'

export type ProductName = 'ollama' | 'llama-server' | 'lm-studio' | 'vllm' | 'other'

export interface Product {
  name: ProductName
  /** Empty if the server doesn't report it. */
  version: string
}

/** The product's name as people write it. */
export const PRODUCT_TITLES: Record<ProductName, string> = {
  ollama: 'Ollama',
  'llama-server': 'llama-server',
  'lm-studio': 'LM Studio',
  vllm: 'vLLM',
  other: 'OpenAI-compatible server',
}

const LOOK_MS = 5_000

type Get = (path: string) => Promise<unknown>

/** `before` is the last result. It is tried first, so that a server gets few requests that it doesn't know. */
export async function recognizeProduct(
  address: ServerAddress,
  signal: AbortSignal,
  before?: Product,
): Promise<Product> {
  const get: Get = (path) => askQuietly(address, path, signal)
  if (before?.name === 'other') return before
  if (before !== undefined) {
    const same = await RECOGNIZERS[before.name](get)
    if (same !== undefined) return same
  }
  const found = await Promise.all(Object.values(RECOGNIZERS).map((recognize) => recognize(get)))
  return found.find((product) => product !== undefined) ?? { name: 'other', version: '' }
}

// The order matters: the first match wins. llama-server also imitates some of Ollama's endpoints.
const RECOGNIZERS: Record<Exclude<ProductName, 'other'>, (get: Get) => Promise<Product | undefined>> = {
  async 'llama-server'(get) {
    const props = asFields(await get('/props'))
    const isIt = props['build_info'] !== undefined || props['default_generation_settings'] !== undefined
    return isIt ? { name: 'llama-server', version: text(props, 'build_info') ?? '' } : undefined
  },
  async ollama(get) {
    const version = text(asFields(await get('/api/version')), 'version')
    return version ? { name: 'ollama', version } : undefined
  },
  // LM Studio returns 200 for unknown paths, so only the shape of the body counts.
  async 'lm-studio'(get) {
    const [list, old] = await Promise.all([get('/api/v1/models'), get('/api/v0/models')])
    const isIt = someHas(asFields(list)['models'], 'key') || someHas(asFields(old)['data'], 'state')
    return isIt ? { name: 'lm-studio', version: '' } : undefined
  },
  async vllm(get) {
    const version = text(asFields(await get('/version')), 'version')
    return version ? { name: 'vllm', version } : undefined
  },
}

/** Returns undefined unless the server responds with 200 and JSON; throws if it can't be reached. */
export async function askQuietly(address: ServerAddress, path: string, signal: AbortSignal): Promise<unknown> {
  return ask(address, path, signal).catch((error: unknown) => {
    if (!(error instanceof KeyError)) throw error
  })
}

/** As `askQuietly`, but throws if the server wants another key. */
export async function ask(address: ServerAddress, path: string, signal: AbortSignal): Promise<unknown> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])
  const { status, value } = await callJson(address, path, undefined, bounded)
  if (isKeyRefused(status)) throw new KeyError()
  return status === 200 ? value : undefined
}

function someHas(list: unknown, key: string): boolean {
  return asList(list).some((item) => Boolean(text(asFields(item), key)))
}
