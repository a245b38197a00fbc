// The gateway's own metrics. Labels are routes, statuses and outcomes, all from closed lists.

import { monitorEventLoopDelay } from 'node:perf_hooks'
import type { Hub } from '../hub/hub.ts'
import type { AnsweredRequest } from '../http/server.ts'
import type { SchedulerStats } from '../scheduler/core/stats.ts'
import type { JobRecord, Scheduler } from '../scheduler/scheduler.ts'
import { Metrics } from './metrics.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const NANOSECONDS = 1e9

export function createGatewayMetrics(hub: Hub, scheduler: Scheduler) {
  const metrics = new Metrics()
  const requests = metrics.counter(
    'hearth_requests_total',
    'HTTP requests by route and status; status 0 means the client disconnected before a response',
  )
  const jobs = metrics.counter('hearth_jobs_total', 'Chat jobs by outcome')
  const used = metrics.counter(
    'hearth_tokens_total',
    'Tokens used, all choices together, also by jobs that did not end well',
  )
  const promptTokens = used.cell({ kind: 'prompt' })
  const completionTokens = used.cell({ kind: 'completion' })
  const wait = metrics.histogram(
    'hearth_wait_seconds',
    'Time until a device accepted the job, or until it ended without one',
    SECONDS,
  )
  const firstEvent = metrics.histogram('hearth_first_token_seconds', 'Time to first token', SECONDS)
  const duration = metrics.histogram('hearth_job_seconds', 'Total time of a job', SECONDS)
  const answeredCells = new Map<string, { value: number }[]>()

  function answeredCell(route: string, status: number): { value: number } {
    const byStatus = answeredCells.get(route) ?? []
    answeredCells.set(route, byStatus)
    return (byStatus[status] ??= requests.cell({ route, status: String(status) }))
  }

  let stats = scheduler.core.stats(performance.now())
  addGauges(metrics, hub, () => stats)

  return {
    render: () => {
      stats = scheduler.core.stats(performance.now())
      return metrics.render()
    },
    answered: ({ route, status }: AnsweredRequest) => {
      answeredCell(route, status).value += 1
    },
    recorded: ({ outcome, tokens, waitMs, firstEventMs, totalMs }: JobRecord) => {
      jobs.add(1, { outcome: outcome.kind })
      promptTokens.value += tokens.prompt
      completionTokens.value += tokens.completion
      wait.observe(waitMs / 1000)
      if (firstEventMs !== undefined) firstEvent.observe(firstEventMs / 1000)
      duration.observe(totalMs / 1000)
    },
  }
}

function addGauges(metrics: Metrics, hub: Hub, stats: () => SchedulerStats): void {
  const lag = monitorEventLoopDelay({ resolution: 20 })
  lag.enable()
  metrics.gauge('hearth_links', 'Devices connected', () => hub.linkCount)
  metrics.gauge(
    'hearth_links_superseded',
    'Connections replaced by a newer one of the same device',
    () => hub.supersededCount,
  )
  metrics.gauge('hearth_queued_jobs', 'Jobs waiting for a device', () => stats().queued)
  metrics.gauge('hearth_queue_oldest_seconds', 'Waiting time of the oldest queued job', () => oldestSeconds(stats()))
  metrics.gauge('hearth_running_jobs', 'Jobs running on a device', () => stats().running)
  metrics.gauge(
    'hearth_leases',
    'Slots held by jobs, including canceled ones until the device confirms',
    () => stats().leases,
  )
  metrics.gauge(
    'hearth_suspect_slots',
    'Slots whose device did not confirm a cancellation in time',
    () => stats().suspect,
  )
  metrics.gauge('hearth_event_loop_lag_seconds', 'Event loop delay, 99th percentile since the last scrape', () => {
    const seconds = lag.percentile(99) / NANOSECONDS
    lag.reset()
    return seconds
  })
  metrics.gauge('hearth_memory_bytes', 'Resident memory of the gateway process', () => process.memoryUsage.rss())
}

function oldestSeconds({ queues }: SchedulerStats): number {
  return Math.max(0, ...queues.map(({ oldestMs }) => oldestMs)) / 1000
}
