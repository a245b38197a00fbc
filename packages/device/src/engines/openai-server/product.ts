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

type Ask = (path: string) => Promise<unknown>

/** `before` is what it was when last looked at: asked first, so that a server hears few questions it does not know. */
export async function recogniseProduct(
  address: ServerAddress,
  signal: AbortSignal,
  before?: Product,
): Promise<Product> {
  const ask: Ask = (path) => askQuietly(address, path, signal)
  if (before?.name === 'other') return before
  if (before !== undefined) {
    const same = await RECOGNISERS[before.name](ask)
    if (same !== undefined) return same
  }
  const found = await Promise.all(Object.values(RECOGNISERS).map((recognise) => recognise(ask)))
  return found.find((product) => product !== undefined) ?? { name: 'other', version: '' }
}

// In this order: the first that knows itself wins. llama-server also imitates some addresses of Ollama.
const RECOGNISERS: Record<Exclude<ProductName, 'other'>, (ask: Ask) => Promise<Product | undefined>> = {
  async 'llama-server'(ask) {
    const props = asFields(await ask('/props'))
    const isIt = props['build_info'] !== undefined || props['default_generation_settings'] !== undefined
    return isIt ? { name: 'llama-server', version: asText(props['build_info']) } : undefined
  },
  async ollama(ask) {
    const version = asText(asFields(await ask('/api/version'))['version'])
    return version === '' ? undefined : { name: 'ollama', version }
  },
  // LM Studio answers addresses it does not know with success, so only the shape counts.
  async 'lm-studio'(ask) {
    const [list, old] = await Promise.all([ask('/api/v1/models'), ask('/api/v0/models')])
    const isIt = someHas(asFields(list)['models'], 'key') || someHas(asFields(old)['data'], 'state')
    return isIt ? { name: 'lm-studio', version: '' } : undefined
  },
  async vllm(ask) {
    const version = asText(asFields(await ask('/version'))['version'])
    return version === '' ? undefined : { name: 'vllm', version }
  },
}

/** Undefined for any answer but a success in JSON; throws when nothing answers at all. */
export async function askQuietly(address: ServerAddress, path: string, signal: AbortSignal): Promise<unknown> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(LOOK_MS)])
  const { status, value } = await callJson(address, path, undefined, bounded)
  return status === 200 ? value : undefined
}

function someHas(list: unknown, key: string): boolean {
  return asList(list).some((item) => asText(asFields(item)[key]) !== '')
}
