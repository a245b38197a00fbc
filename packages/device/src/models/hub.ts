// Finds the files of a model on Hugging Face: lists the repository and picks the quantization.

import { DeviceError, describeError } from '../errors.ts'
import { isFields } from '../state/fields.ts'

export interface HubFile {
  path: string
  bytes: number
  sha256?: string
}

export interface HubReference {
  owner: string
  repository: string
  quant?: string
  revision?: string
}

export interface HubWorld {
  hub: URL
  fetch: typeof fetch
  /** From HF_TOKEN, for repositories that require a login. */
  token: string | undefined
}

/** The hub can't be reached at all, as opposed to one that rejects the request. */
export class HubUnreachable extends DeviceError {
  override name = 'HubUnreachable'
}

/** In order of preference, best balance of size and quality first. If none of these exist, the smallest file is used. */
const PREFERRED = ['Q4_K_M', 'Q4_K_L', 'Q4_K_S', 'Q5_K_M', 'Q4_1', 'Q4_0', 'IQ4_XS', 'Q5_K_S', 'Q6_K', 'Q8_0', 'MXFP4']
const LISTING_MS = 20_000

export async function findHubFiles(reference: HubReference, world: HubWorld, signal: AbortSignal): Promise<HubFile[]> {
  const files = await listFiles(reference, world, signal)
  const models = files.filter(({ path }) => /\.gguf$/i.test(path) && !/mmproj|imatrix/i.test(path))
  if (models.length === 0)
    throw new DeviceError(
      `Can't use hf:${reference.owner}/${reference.repository}: it contains no GGUF file`,
      'look for a repository whose name ends in -GGUF',
    )
  return chooseFiles(models, reference)
}

export function fileAddress({ owner, repository, revision = 'main' }: HubReference, path: string, hub: URL): string {
  return new URL(
    `/${owner}/${repository}/resolve/${revision}/${path.split('/').map(encodeURIComponent).join('/')}`,
    hub,
  ).href
}

export function hubToken(environment: Readonly<Record<string, string | undefined>>): string | undefined {
  return environment['HF_TOKEN'] || undefined
}

export function authorization(token: string | undefined): Record<string, string> {
  return token === undefined ? {} : { authorization: `Bearer ${token}` }
}

async function listFiles(
  { owner, repository, revision = 'main' }: HubReference,
  { hub, fetch, token }: HubWorld,
  signal: AbortSignal,
): Promise<HubFile[]> {
  const url = new URL(`/api/models/${owner}/${repository}/tree/${revision}?recursive=true`, hub)
  const deadline = AbortSignal.any([signal, AbortSignal.timeout(LISTING_MS)])
  const response = await fetch(url, { headers: authorization(token), signal: deadline }).catch((error: unknown) => {
    signal.throwIfAborted()
    throw new HubUnreachable(
      `Can't reach ${hub.host}: ${describeError(error)}`,
      'check your network (behind a proxy, set HTTPS_PROXY), or use a mirror with HEARTH_DEVICE_HUB',
    )
  })
  if (response.status >= 500)
    throw new HubUnreachable(`${hub.host} returned status ${response.status}`, 'try again later')
  // The hub returns 401 for a repository that doesn't exist too, so that private names stay private.
  if (!response.ok)
    throw new DeviceError(
      `Can't find hf:${owner}/${repository} on ${hub.host} (status ${response.status})`,
      'check the name; if the repository requires a login, set HF_TOKEN',
    )
  return readListing(await response.json())
}

function readListing(value: unknown): HubFile[] {
  if (!Array.isArray(value))
    throw new DeviceError("Can't read the file list: it is not what Hugging Face sends", 'check HEARTH_DEVICE_HUB')
  return value.filter(isFields).flatMap(({ type, path, size, lfs }) => {
    if (type !== 'file' || typeof path !== 'string' || typeof size !== 'number') return []
    const oid = isFields(lfs) ? lfs['oid'] : undefined
    return [{ path, bytes: size, ...(typeof oid === 'string' && /^[0-9a-f]{64}$/.test(oid) ? { sha256: oid } : {}) }]
  })
}

/** Returns one file, or all parts of a split one. */
export function chooseFiles(models: readonly HubFile[], { owner, repository, quant }: HubReference): HubFile[] {
  const groups = Map.groupBy(models, ({ path }) => path.replace(/-\d{5}-of-\d{5}(?=\.gguf$)/i, ''))
  const names = [...groups.keys()]
  const wanted = quant === undefined ? preferred(names, groups) : names.find((name) => isQuant(name, quant))
  const chosen = wanted === undefined ? undefined : groups.get(wanted)
  if (chosen !== undefined) return chosen.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  throw new DeviceError(`Can't find ${quant} in hf:${owner}/${repository}`, `it has ${names.join(', ')}`)
}

function preferred(names: readonly string[], groups: ReadonlyMap<string, readonly HubFile[]>): string | undefined {
  const size = (name: string): number => (groups.get(name) ?? []).reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    PREFERRED.map((quant) => names.find((name) => isQuant(name, quant))).find((name) => name !== undefined) ??
    names.toSorted((a, b) => size(a) - size(b))[0]
  )
}

/** The quantization appears between dots, dashes or slashes in the file's path. */
function isQuant(path: string, quant: string): boolean {
  return path.toLowerCase().split(/[-./]/).includes(quant.toLowerCase())
}
