// Searches Hugging Face for models that people describe by a few words, and suggests names that someone may have meant. They are only ever
// suggested, because anybody can publish a repository under a name like a known one.

import { MAX_FOUND, MAX_NAME_LENGTH, type HubModel } from '@hearth/protocol'
import { nearNames, type HubRepository } from '@hearth/model-list'
import { asList, count, isFields, text, type Fields } from '@hearth/sealing/fields'
import { explainHubRejection } from './hub-rejection.ts'
import { askHub, readHubJson, type HubWorld } from './hub.ts'

const SEARCH_MS = 5_000
const MOST = 3

/** Empty if nothing is near. Best effort: without the hub there are fewer suggestions. */
export async function suggestNames(text: string, world: HubWorld, signal: AbortSignal): Promise<string> {
  const name = text.replace(/^hf:/, '').replace(/^.*\//s, '')
  const listed = nearNames(name.replace(/[-_.]gguf$/i, ''))
  const found = await searchIfPossible(name, world, signal)
  const names = [...listed, ...found.slice(0, MOST).map(({ source }) => source)]
  return names.length === 0 ? '' : `did you mean ${names.join(', ')}?`
}

/** The most popular first. Throws CommandError if the hub can't be asked. */
export async function searchHub(text: string, world: HubWorld, signal: AbortSignal): Promise<HubModel[]> {
  const search = text.replace(/^hf:|:[^:]*$|-gguf$/gi, '').replaceAll(/[-_:]+/g, ' ')
  const url = new URL('/api/models', world.hub)
  url.search = new URLSearchParams({ search, filter: 'gguf', sort: 'downloads', limit: String(MAX_FOUND) }).toString()
  const response = await askHub(url, world, SEARCH_MS, signal)
  if (!response.ok) throw explainHubRejection(response, { owner: '', repository: '' }, world)
  const found = asList(await readHubJson(response, world, signal))
  return found.slice(0, MAX_FOUND).filter(isFields).flatMap(readHit)
}

/** As the hub's tags have it: `apache-2.0`. Undefined if nobody says. */
export async function licenseOf(
  { owner, repository }: HubRepository,
  world: HubWorld,
  signal: AbortSignal,
): Promise<string | undefined> {
  const found = await searchIfPossible(`${owner}/${repository}`, world, signal)
  return found.find(({ source }) => source === `hf:${owner}/${repository}`)?.license
}

/** None if the hub can't be asked. */
export async function searchIfPossible(text: string, world: HubWorld, signal: AbortSignal): Promise<HubModel[]> {
  try {
    return await searchHub(text, world, signal)
  } catch {
    signal.throwIfAborted()
    return []
  }
}

function readHit(hit: Fields): HubModel[] {
  const id = text(hit, 'id')
  if (id === undefined || id.length > MAX_NAME_LENGTH || !/^[\w.-]+\/[\w.-]+$/.test(id)) return []
  const license = asList(hit['tags'])
    .filter((tag) => typeof tag === 'string')
    .find((tag) => /^license:[\w.-]{1,64}$/.test(tag))
  const downloads = count(hit, 'downloads') ?? 0
  return [{ source: `hf:${id}`, downloads, ...(license === undefined ? {} : { license: license.slice(8) }) }]
}
