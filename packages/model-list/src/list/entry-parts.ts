// Short forms for the parts that many entries share.

import type { HubRepository, License, ListedModel } from './listed-model.ts'

export const APACHE: License = { name: 'Apache 2.0', url: 'https://www.apache.org/licenses/LICENSE-2.0' }
export const MIT: License = { name: 'MIT', url: 'https://opensource.org/license/mit' }
export const GEMMA_TERMS: License = { name: 'Gemma Terms of Use', url: 'https://ai.google.dev/gemma/terms' }

export function hub(address: `${string}/${string}`): HubRepository {
  const [owner = '', repository = ''] = address.split('/')
  return { owner, repository }
}

/** A model is also found with a dash in its name: `qwen3-8b`. */
export function named(
  name: string,
  title: string,
  ...others: string[]
): Pick<ListedModel, 'name' | 'title' | 'aliases'> {
  return { name, title, aliases: [name.replace(':', '-'), ...others] }
}

/** Sizes as the hub shows them: in GB (10⁹ bytes), rounded to three digits. */
export function files(
  repository: `${string}/${string}`,
  gigabytes: Readonly<Record<string, number>>,
): Pick<ListedModel, 'hub' | 'quantizations'> {
  const quantizations = Object.entries(gigabytes).map(([name, size]) => ({
    name,
    bytes: Math.round(size * 1000) * 1_000_000,
    isApproximate: true,
  }))
  return { hub: hub(repository), quantizations }
}

/** Two vectors of 16-bit values per layer and key-value head. */
export function contextBytes(layers: number, heads: number, width: number): number {
  return layers * heads * width * 2 * 2
}
