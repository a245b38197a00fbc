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
  return organizationQuery(organization, ['usage', question], async (own) => own.get('/usage', { query: question }))
}

export function budgets(organization: string) {
  return organizationQuery(organization, ['budgets'], async (own) => own.get('/budgets'))
}
