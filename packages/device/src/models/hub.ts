// Finds the files of a model on the hub: lists the repository, and chooses the quantisation.

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
  /** From HF_TOKEN, for repositories that ask for a login. */
  token: string | undefined
}

/** A hub that cannot be reached at all, as opposed to one that says no. */
export class HubUnreachable extends DeviceError {
  override name = 'HubUnreachable'
}

/** A good trade of size and quality first; whatever else there is, the smallest, last. */
const PREFERRED = ['Q4_K_M', 'Q4_K_L', 'Q4_K_S', 'Q5_K_M', 'Q4_1', 'Q4_0', 'IQ4_XS', 'Q5_K_S', 'Q6_K', 'Q8_0', 'MXFP4']
const LISTING_MS = 20_000

export async function findHubFiles(reference: HubReference, world: HubWorld, signal: AbortSignal): Promise<HubFile[]> {
  const files = await listFiles(reference, world, signal)
  const models = files.filter(({ path }) => /\.gguf$/i.test(path) && !/mmproj|imatrix/i.test(path))
  if (models.length === 0)
    throw new DeviceError(
      `Cannot use hf:${reference.owner}/${reference.repository}: it holds no GGUF file`,
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
      `Cannot reach the model hub ${hub.host}: ${describeError(error)}`,
      'check the network (HTTPS_PROXY is honoured), or name another hub with HEARTH_DEVICE_HUB',
    )
  })
  if (response.status >= 500)
    throw new HubUnreachable(`The model hub ${hub.host} answered with status ${response.status}`)
  // The hub answers 401 for what does not exist as well, so that private names stay private.
  if (!response.ok)
    throw new DeviceError(
      `Cannot find hf:${owner}/${repository} on ${hub.host} (status ${response.status})`,
      'check the name; for a repository that asks for a login set HF_TOKEN',
    )
  return readListing(await response.json())
}

function readListing(value: unknown): HubFile[] {
  if (!Array.isArray(value)) throw new DeviceError('Cannot read the answer of the model hub')
  return value.filter(isFields).flatMap(({ type, path, size, lfs }) => {
    if (type !== 'file' || typeof path !== 'string' || typeof size !== 'number') return []
    const oid = isFields(lfs) ? lfs['oid'] : undefined
    return [{ path, bytes: size, ...(typeof oid === 'string' && /^[0-9a-f]{64}$/.test(oid) ? { sha256: oid } : {}) }]
  })
}

/** One file, or all pieces of one that is split. */
export function chooseFiles(models: readonly HubFile[], { owner, repository, quant }: HubReference): HubFile[] {
  const groups = Map.groupBy(models, ({ path }) => path.replace(/-\d{5}-of-\d{5}(?=\.gguf$)/i, ''))
  const names = [...groups.keys()]
  const wanted = quant === undefined ? preferred(names, groups) : names.find((name) => isQuant(name, quant))
  const chosen = wanted === undefined ? undefined : groups.get(wanted)
  if (chosen !== undefined) return chosen.toSorted((a, b) => (a.path < b.path ? -1 : 1))
  throw new DeviceError(`Cannot find ${quant} in hf:${owner}/${repository}`, `there are: ${names.join(', ')}`)
}

function preferred(names: readonly string[], groups: ReadonlyMap<string, readonly HubFile[]>): string | undefined {
  const size = (name: string): number => (groups.get(name) ?? []).reduce((sum, { bytes }) => sum + bytes, 0)
  return (
    PREFERRED.map((quant) => names.find((name) => isQuant(name, quant))).find((name) => name !== undefined) ??
    names.toSorted((a, b) => size(a) - size(b))[0]
  )
}

/** The quantisation stands between dots, dashes or slashes of the file's path. */
function isQuant(path: string, quant: string): boolean {
  return path.toLowerCase().split(/[-./]/).includes(quant.toLowerCase())
}
