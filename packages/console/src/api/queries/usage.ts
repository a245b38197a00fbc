import { api, send } from '../client.ts'
import { organizationQuery } from './organization-query.ts'

export interface UsageQuestion {
  /** UTC timestamps, ISO 8601. */
  from: string
  to: string
  by: 'model' | 'key' | 'device'
  step: 'hour' | 'day'
  /** Only this key. */
  key?: string
}

export function usage(organization: string, question: UsageQuestion) {
  return organizationQuery(organization, ['usage', question], async (path, signal) =>
    send(api.GET('/organizations/{organization}/usage', { params: { path, query: question }, signal })),
  )
}
