// Short forms for the parts that many entries share.

import type { HubRepository, License, ListedQuantization } from './listed-model.ts'

export const APACHE: License = { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }
export const MIT: License = { name: 'MIT', url: 'https://opensource.org/license/mit' }
export const GEMMA: License = { name: 'Gemma Terms of Use', url: 'https://ai.google.dev/gemma/terms' }

export function hub(address: `${string}/${string}`): HubRepository {
  const [owner = '', repository = ''] = address.split('/')
  return { owner, repository }
}

/** Sizes as the hub shows them: in GB (10⁹ bytes), rounded to three digits. */
export function sizes(gigabytes: Readonly<Record<string, number>>): ListedQuantization[] {
  return Object.entries(gigabytes).map(([name, size]) => ({
    name,
    bytes: Math.round(size * 1000) * 1_000_000,
    isApproximate: true,
  }))
}

/** Two vectors of 16-bit values per layer and key-value head. */
export function contextBytes(layers: number, heads: number, width: number): number {
  return layers * heads * width * 2 * 2
}
