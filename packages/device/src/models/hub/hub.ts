// Asks Hugging Face which files a repository has, and where they are.

import { CommandError, describeError } from '@hearth/command-line/errors'
import { asFields, isCount, isFields, text } from '@hearth/sealing/fields'
import { groupFiles, type FileGroup, type HubFile } from './file-groups.ts'
import type { HubRepository } from '@hearth/model-list'
import { explainHubRejection } from './hub-rejection.ts'
import { Unreachable } from '../download/unreachable.ts'
import { ForbiddenAddress } from '../../outside/web-rules.ts'
import { readBounded } from '../../outside/read-bounded.ts'

export interface HubWorld {
  hub: URL
  fetch: typeof fetch
  /** For repositories that require a login. */
  token: string | undefined
}

/** The hub can't be reached at all, as opposed to one that rejects the request. */
export class HubUnreachable extends Unreachable {
  override name = 'HubUnreachable'
}

const LISTING_MS = 20_000
/** The hub lists 1,000 files per page. The largest repositories of models have a few thousand. */
const MAX_PAGES = 20
const MAX_FILES = 20_000
/** The sizes of all parts of a model together stay exact. */
const MAX_FILE_BYTES = 1e13
const MAX_PAGE_BYTES = 8 * 1024 * 1024
/** As long as a file name may be on most disks, less what this app adds to it. */
const MAX_PATH_LENGTH = 180

/** The models of a repository, one per quantization. Throws CommandError if there are none. */
export async function findGroups(address: HubRepository, world: HubWorld, signal: AbortSignal): Promise<FileGroup[]> {
  const groups = groupFiles(await listFiles(address, world, signal))
  if (groups.length > 0) return groups
  throw new CommandError(
    `Can't use hf:${address.owner}/${address.repository}: it contains no GGUF file`,
    'look for a repository whose name ends in -GGUF',
  )
}

export function fileAddress({ owner, repository, revision = 'main' }: HubRepository, path: string, hub: URL): string {
  return new URL(
    `/${owner}/${repository}/resolve/${encodeURIComponent(revision)}/${path.split('/').map(encodeURIComponent).join('/')}`,
    hub,
  ).href
}

export function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

async function listFiles(address: HubRepository, world: HubWorld, signal: AbortSignal): Promise<HubFile[]> {
  const { owner, repository, revision = 'main' } = address
  const files: HubFile[] = []
  let page: string | undefined =
    `/api/models/${owner}/${repository}/tree/${encodeURIComponent(revision)}?recursive=true`
  for (let count = 0; page !== undefined; count += 1) {
    if (count >= MAX_PAGES || files.length > MAX_FILES)
      throw new CommandError(`Can't use hf:${owner}/${repository}: it lists more than ${MAX_FILES} files`)
    const response = await askHub(new URL(page, world.hub), world, LISTING_MS, signal)
    if (!response.ok) throw explainHubRejection(response, address, world)
    files.push(...readListing(await readHubJson(response, world, signal)))
    page = /<([^>]+)>;\s*rel="next"/.exec(response.headers.get('link') ?? '')?.[1]
  }
  return files
}

/** Throws HubUnreachable if it breaks off, is too long or is no JSON. */
export async function readHubJson(response: Response, { hub }: HubWorld, signal: AbortSignal): Promise<unknown> {
  try {
    return JSON.parse(await readBounded(response, MAX_PAGE_BYTES)) as unknown
  } catch (error) {
    signal.throwIfAborted()
    throw new HubUnreachable(`Can't read the answer of ${hub.host}: ${describeError(error)}`, 'try again later')
  }
}

/** Throws HubUnreachable if nothing sensible comes back in time. */
export async function askHub(
  url: URL,
  { hub, fetch, token }: HubWorld,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<Response> {
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)])
  const headers = url.origin === hub.origin ? authorization(token) : {}
  const response = await fetch(url, { headers, signal: deadline }).catch((error: unknown) => {
    signal.throwIfAborted()
    if (error instanceof ForbiddenAddress) throw error
    throw new HubUnreachable(
      `Can't reach ${hub.host}: ${describeError(error)}`,
      'check your network (behind a proxy, set HTTPS_PROXY), or use a mirror with HEARTH_DEVICE_HUB',
    )
  })
  if (response.status >= 500)
    throw new HubUnreachable(`${hub.host} returned status ${response.status}`, 'try again later')
  return response
}

function readListing(value: unknown): HubFile[] {
  if (!Array.isArray(value))
    throw new CommandError("Can't read the file list: it is not what Hugging Face sends", 'check HEARTH_DEVICE_HUB')
  const items: unknown[] = value.slice(0, MAX_FILES + 1)
  return items.filter(isFields).flatMap(({ type, path, size, lfs }) => {
    if (type !== 'file' || !isPlainPath(path) || !isCount(size, 0, MAX_FILE_BYTES)) return []
    const oid = text(asFields(lfs), 'oid')
    return [{ path, bytes: size, ...(oid !== undefined && /^[0-9a-f]{64}$/.test(oid) ? { sha256: oid } : {}) }]
  })
}

/** Everything else could mean another place, on the hub or on this machine. */
function isPlainPath(value: unknown): value is string {
  if (typeof value !== 'string' || value.length > MAX_PATH_LENGTH) return false
  return !/[\\\p{Cc}]/u.test(value) && value.split('/').every((part) => !/^\.{0,2}$/.test(part))
}
