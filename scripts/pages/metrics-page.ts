// docs/metrics.md: what a gateway prints at /metrics.

import { openBudgets } from '../../packages/gateway/src/budget/memory-budgets.ts'
import { GatewayMetrics } from '../../packages/gateway/src/observe/gateway-metrics.ts'
import { list, page } from './markdown.ts'

const IDLE = {
  links: 0,
  supersededLinks: 0,
  refusedLinks: 0,
  queued: 0,
  oldestWaitMs: 0,
  running: 0,
  leases: 0,
  suspectSlots: 0,
  secondOffers: 0,
  secondOffersWon: 0,
  continuedReplies: 0,
  served: [],
}

export function metricsPage(): string {
  const metrics = new GatewayMetrics(openBudgets({ totalBytes: 1, heapLimitBytes: 1, maxBodyBytes: 1 }))
  const found = metrics.render(IDLE, 0).matchAll(/^# HELP (\S+) (.+)\n# TYPE \S+ (.+)$/gm)
  return page([
    '# Metrics',
    '`/metrics` has these, in the Prometheus text format. Labels are routes, statuses, outcomes and directions, never a key, a name or content. [Operate](operate.md#monitoring) has a dashboard and alerts for them.',
    list([...found].map(([, name, help, type]) => `\`${name}\` (${type}): ${help}`)),
  ])
}
