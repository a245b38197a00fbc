import { ApiFailure } from '../client.ts'
import type { OrganizationApi } from '../organization-api.ts'
import { organizationQuery } from './organization-query.ts'

/** Shorter words find half of the hub. */
const SHORTEST_SEARCH = 2
/** What the hub has changes slowly, and people go back and forth. */
const FRESH_MS = 60_000

export function models(organization: string) {
  return organizationQuery(organization, ['models'], async (own) => (await own.get('/models')).models)
}

export function modelDefaults(organization: string, name: string) {
  return organizationQuery(organization, ['model-defaults', name], async (own) =>
    own.get('/models/defaults', { query: { name } }),
  )
}

/** Well-known open models. The list changes only with a new version of the gateway. */
export function knownModels(organization: string) {
  const query = organizationQuery(
    organization,
    ['known-models'],
    async (own) => (await own.get('/known-models')).models,
  )
  return { ...query, staleTime: Number.POSITIVE_INFINITY }
}

/** What a text means, or finds on the model hub. The devices know the hub, the gateway doesn't: the first one that reaches it answers. */
export function lookedUp(organization: string, source: string, devices: readonly string[]) {
  const query = organizationQuery(organization, ['look-up', source, ...devices.slice(0, 1)], async (own) =>
    askFirst(own, source, devices),
  )
  const enabled = devices.length > 0 && source.length >= SHORTEST_SEARCH
  return { ...query, enabled, staleTime: FRESH_MS, retry: false }
}

async function askFirst(own: OrganizationApi, source: string, devices: readonly string[]) {
  let failure: Error | undefined
  for (const device of devices)
    try {
      return await own.post('/devices/{device}/models/look-up', { device, body: { source } })
    } catch (error) {
      if (!(error instanceof ApiFailure) || error.code !== 'hub_unreachable') throw error
      failure ??= error
    }
  const every = devices.length > 1 ? 'None of your devices can reach the model hub. ' : ''
  throw new Error(`${every}${failure?.message}`)
}
