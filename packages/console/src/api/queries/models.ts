import { api, send } from '../client.ts'
import { organizationQuery } from './organization-query.ts'

export function models(organization: string) {
  return organizationQuery(organization, ['models'], async (path, signal) => {
    const answer = await send(api.GET('/organizations/{organization}/models', { params: { path }, signal }))
    return answer.models
  })
}

export function modelDefaults(organization: string, name: string) {
  return organizationQuery(organization, ['model-defaults', name], async (path, signal) => {
    const params = { path, query: { name } }
    return send(api.GET('/organizations/{organization}/models/defaults', { params, signal }))
  })
}

/** Well-known open models. The list changes only with a new version of the gateway. */
export function knownModels(organization: string) {
  const query = organizationQuery(organization, ['known-models'], async (path, signal) => {
    const answer = await send(api.GET('/organizations/{organization}/known-models', { params: { path }, signal }))
    return answer.models
  })
  return { ...query, staleTime: Number.POSITIVE_INFINITY }
}
