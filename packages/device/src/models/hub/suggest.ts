// Names that someone may have meant: of the list, and of repositories on Hugging Face. They are only ever suggested, because anybody can
// publish a repository under a name like a known one.

import { nearNames } from '@hearth/model-list'
import { isFields } from '@hearth/command-line/files/fields'
import { askHub, readHubJson, type HubWorld } from './hub.ts'

const SEARCH_MS = 5_000
const MOST = 3

/** Empty if nothing is near. */
export async function suggestNames(text: string, world: HubWorld, signal: AbortSignal): Promise<string> {
  const name = text.replace(/^hf:/, '').replace(/^.*\//s, '')
  const listed = nearNames(name.replace(/[-_.]gguf$/i, ''))
  const found = await searchHub(name, world, signal)
  const names = [...listed, ...found.map((id) => `hf:${id}`)]
  return names.length === 0 ? '' : `did you mean ${names.join(', ')}?`
}

/** Best effort: without the hub there are fewer suggestions. */
async function searchHub(name: string, world: HubWorld, signal: AbortSignal): Promise<string[]> {
  const words = name.replace(/:.*$|-gguf$/gi, '').replaceAll(/[-_:]+/g, ' ')
  const url = new URL('/api/models', world.hub)
  url.search = new URLSearchParams({ search: words, filter: 'gguf', sort: 'downloads', limit: String(MOST) }).toString()
  try {
    const response = await askHub(url, world, SEARCH_MS, signal)
    const found: unknown = response.ok ? await readHubJson(response, world, signal) : []
    if (!Array.isArray(found)) return []
    return found
      .filter(isFields)
      .flatMap(({ id }) => (typeof id === 'string' && /^[\w.-]+\/[\w.-]+$/.test(id) ? [id] : []))
      .slice(0, MOST)
  } catch {
    signal.throwIfAborted()
    return []
  }
}
