import { organizationQuery } from './organization-query.ts'

export function sealing(organization: string) {
  return organizationQuery(organization, ['sealing'], async (own) => own.get('/sealing'))
}

/** The program that seals. It changes only with a new version of the gateway. */
export function sealProgram(organization: string) {
  const query = organizationQuery(organization, ['seal-program'], async (own) => own.get('/sealing/program'))
  return { ...query, staleTime: Number.POSITIVE_INFINITY }
}
