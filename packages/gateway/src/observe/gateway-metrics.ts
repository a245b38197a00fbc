// The gateway's own metrics. Labels are routes, statuses and outcomes, all from closed lists.

import type { ByteBudget } from '@hearth/chat'
import type { MemoryBudgets } from '../budget/memory-budgets.ts'
import type { FleetStats, JobRecord } from '../fleet/fleet.ts'
import type { AnsweredRequest } from '../http/route.ts'
import { ACCOUNT_EVENTS, NOBODYS_EVENTS, type AccountEvent, type NobodysEvent } from '../store/tables/activity.ts'
import { addFleetReadings } from './fleet-readings.ts'
import { Metrics, addReadings } from './metrics.ts'
import { addProcessMetrics } from './process-metrics.ts'
import { UPKEEP_READINGS, type UpkeepFacts } from './upkeep-metrics.ts'

const SECONDS = [0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 60, 120, 300]
const RATIOS = [0.05, 0.1, 0.2, 0.3, 0.4, 0.5, 0.75, 1, 2, 5]

export class GatewayMetrics {
  readonly #metrics = new Metrics()
  readonly #requests = this.#metrics.counter(
    'hearth_requests_total',
    'HTTP requests by route and status; status 0 means the client disconnected before a response',
  )
  readonly #accountEvents = this.#metrics.counter(
    'hearth_account_events_total',
    "Sign-ins, failed attempts at them, and changes of people's ways to sign in, by event",
  )
  readonly #jobs = this.#metrics.counter('hearth_jobs_total', 'Chat jobs by outcome')
  readonly #jobsByOutcome = new Map<JobRecord['outcome']['kind'], { value: number }>()
  readonly #tokens = this.#metrics.counter(
    'hearth_tokens_total',
    'Tokens used, all choices together, including jobs that failed',
  )
  readonly #promptTokens = this.#tokens.cell({ kind: 'prompt' })
  readonly #completionTokens = this.#tokens.cell({ kind: 'completion' })
  readonly #unprotected = this.#metrics
    .counter(
      'hearth_usage_unprotected_total',
      'Requests that could not be written to the usage journal; a crash before the next write to the database loses their usage',
    )
    .cell()
  readonly #shed = this.#metrics
    .counter('hearth_shed_requests_total', 'Chat requests that got a 503 because the gateway was overloaded')
    .cell()
  readonly #wait = this.#metrics.histogram(
    'hearth_wait_seconds',
    'Time until a device accepted the job, or until it ended without one',
    SECONDS,
  )
  readonly #firstEvent = this.#metrics.histogram('hearth_first_token_seconds', 'Time to first token', SECONDS)
  readonly #expected = this.#metrics.histogram(
    'hearth_expected_first_token_seconds',
    'Expected time to first token when the job was submitted, of one job per model and second',
    SECONDS,
  )
  readonly #expectedError = this.#metrics.histogram(
    'hearth_expected_first_token_error_ratio',
    'How far that expectation was off, divided by the real time',
    RATIOS,
  )
  readonly #duration = this.#metrics.histogram('hearth_job_seconds', 'Total time of a job', SECONDS)
  readonly #answered = new Map<string, { value: number }[]>()
  readonly upkeep: UpkeepFacts = { tables: [] }
  #fleet: FleetStats | undefined
  #storeSilentMs = 0
  #checks: Record<string, string> = {}
  #isShedding = false

  constructor(budgets: MemoryBudgets) {
    addFleetReadings(this.#metrics, () => this.#fleet)
    this.#metrics.reading(
      'hearth_store_silent_seconds',
      'Time since the database last answered; beyond STORE_GRACE_S, requests get a 503',
      () => this.#storeSilentMs / 1000,
    )
    this.#metrics.reading(
      'hearth_check_failing',
      '1 while something that the gateway needs is in trouble, by name; /readyz says what will happen next',
      () => Object.entries(this.#checks).map(([check, problem]) => [{ check }, Number(problem !== 'ok')]),
    )
    this.#metrics.reading('hearth_shedding', '1 while the gateway is overloaded and refuses some chat requests', () =>
      Number(this.#isShedding),
    )
    // From the start, so that the first ones of a kind are an increase.
    for (const event of [...ACCOUNT_EVENTS, ...NOBODYS_EVENTS]) this.#accountEvents.cell({ event })
    addReadings(this.#metrics, UPKEEP_READINGS, () => this.upkeep)
    addBudgetGauges(this.#metrics, budgets)
    addProcessMetrics(this.#metrics)
  }

  render(fleet: FleetStats, storeSilentMs: number, checks: Record<string, string> = {}): string {
    this.#checks = checks
    this.#fleet = fleet
    this.#storeSilentMs = storeSilentMs
    return this.#metrics.render()
  }

  answered({ route, status }: AnsweredRequest): void {
    let byStatus = this.#answered.get(route)
    if (!byStatus) this.#answered.set(route, (byStatus = []))
    byStatus[status] ??= this.#requests.cell({ route, status: String(status) })
    byStatus[status].value += 1
  }

  recorded({ outcome, tokens, waitMs, firstEventMs, expectedMs, totalMs }: JobRecord): void {
    this.#jobsWith(outcome.kind).value += 1
    this.#promptTokens.value += tokens.prompt
    this.#completionTokens.value += tokens.completion
    this.#wait.observe(waitMs / 1000)
    if (firstEventMs !== undefined) this.#firstEvent.observe(firstEventMs / 1000)
    if (firstEventMs !== undefined && expectedMs !== undefined) this.#compare(expectedMs, firstEventMs)
    this.#duration.observe(totalMs / 1000)
  }

  #compare(expectedMs: number, actualMs: number): void {
    this.#expected.observe(expectedMs / 1000)
    this.#expectedError.observe(Math.abs(expectedMs - actualMs) / Math.max(1, actualMs))
  }

  #jobsWith(outcome: JobRecord['outcome']['kind']): { value: number } {
    const known = this.#jobsByOutcome.get(outcome)
    if (known) return known
    const cell = this.#jobs.cell({ outcome })
    this.#jobsByOutcome.set(outcome, cell)
    return cell
  }

  accountEvent(event: AccountEvent | NobodysEvent): void {
    this.#accountEvents.cell({ event }).value += 1
  }

  usageUnprotected(): void {
    this.#unprotected.value += 1
  }

  requestShed(): void {
    this.#shed.value += 1
  }

  sheddingChanged(isShedding: boolean): void {
    this.#isShedding = isShedding
  }
}

function addBudgetGauges(metrics: Metrics, budgets: MemoryBudgets): void {
  const kinds = Object.entries<ByteBudget>({ ...budgets })
  metrics.reading(
    'hearth_budget_used_bytes',
    'Memory held by requests, replies and copies of models in progress, and by devices',
    () => kinds.map(([kind, { usedBytes }]) => [{ kind }, usedBytes]),
  )
  metrics.reading(
    'hearth_budget_limit_bytes',
    'Memory available to requests, replies and copies of models in progress, and to devices',
    () => kinds.map(([kind, { totalBytes }]) => [{ kind }, totalBytes]),
  )
}
