import { organizationQuery } from './organization-query.ts'

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
