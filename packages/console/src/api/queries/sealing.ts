import { api, send } from '../client.ts'
import { organizationQuery } from './organization-query.ts'

export function sealing(organization: string) {
  return organizationQuery(organization, ['sealing'], async (path, signal) =>
    send(api.GET('/organizations/{organization}/sealing', { params: { path }, signal })),
  )
}

/** The program that seals. It changes only with a new version of the gateway. */
export function sealProgram(organization: string) {
  const query = organizationQuery(organization, ['seal-program'], async (path, signal) =>
    send(api.GET('/organizations/{organization}/sealing/program', { params: { path }, signal })),
  )
  return { ...query, staleTime: Number.POSITIVE_INFINITY }
}
