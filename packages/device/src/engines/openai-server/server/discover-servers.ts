// Looks for local servers on the ports where they usually listen.

import { asFields } from '@hearth/sealing/fields'
import { askQuietly, recognizeProduct, type Product } from './product.ts'
import { readServerAddress } from '../http/server-address.ts'

/** Ollama, llama-server, LM Studio, vLLM. */
export const USUAL_PLACES = [11_434, 8_080, 1_234, 8_000].map((port) => `http://127.0.0.1:${port}`)

const DISCOVER_MS = 2_000

export interface FoundServer {
  url: string
  product: Product
}

export async function discoverServers(
  signal: AbortSignal,
  places: readonly string[] = USUAL_PLACES,
): Promise<FoundServer[]> {
  const bounded = AbortSignal.any([signal, AbortSignal.timeout(DISCOVER_MS)])
  // Nothing listens in most of these places.
  const found = await Promise.all(places.map((url) => lookAt(url, bounded).catch(() => undefined)))
  signal.throwIfAborted()
  return found.filter((server) => server !== undefined)
}

/** Anything may listen on these ports, so only a server that lists models counts. */
async function lookAt(url: string, signal: AbortSignal): Promise<FoundServer | undefined> {
  const address = readServerAddress(url)
  const list = asFields(await askQuietly(address, '/v1/models', signal))['data']
  return Array.isArray(list) ? { url, product: await recognizeProduct(address, signal) } : undefined
}
