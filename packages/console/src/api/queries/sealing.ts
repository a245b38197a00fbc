import { api, send } from '../client.ts'
import { organizationQuery } from './organization-query.ts'

export function sealing(organization: string) {
  return organizationQuery(organization, ['sealing'], async (path, signal) =>
    send(api.GET('/organizations/{organization}/sealing', { params: { path }, signal })),
  )
}
