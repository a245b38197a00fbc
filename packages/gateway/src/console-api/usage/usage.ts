import { API_ERRORS, ApiError, isApiErrorCode } from '@hearth/chat'
import type { Counters } from '../../store/usage/usage-addition.ts'
import type { UsagePoint, UsageQuestion, UsageSum } from '../../store/usage/usage.ts'
import { addTimes, noTimes, quantileOf, type Timed } from '../../store/usage/time-buckets.ts'
import { startOfMonth, startOfNextMonth } from '../../access/limits/spending.ts'
import { organizationOf, ownOnly, type ConsoleApp, type ConsoleParts } from '../console.ts'
import * as routes from '../routes/usage.ts'

const DAY_MS = 86_400_000
/** Maximum range, so that the result stays small enough to draw. */
export const MOST_DAYS = { hour: 31, day: 400 }
/** An organization may have ten thousand keys: the result holds this many sums, and a series for each that leads by some counter. */
export const MOST_SUMS = 500
const MOST_SERIES = 8

export function addUsage(app: ConsoleApp, { store }: ConsoleParts): void {
  app.openapi(routes.listBudgets, async (context) => {
    const month = new Date(startOfMonth(Date.now()))
    const budgets = await store.listBudgets({ organization: organizationOf(context), month, ...ownOnly(context) })
    return context.json({ budgets, startsAgain: startOfNextMonth(Date.now()).toISOString() }, 200)
  })

  app.openapi(routes.readUsage, async (context) => {
    const { from, to, by, step, key, model, device } = context.req.valid('query')
    const question: UsageQuestion = {
      organization: organizationOf(context),
      ...readRange(from, to, step),
      by,
      key,
      model,
      device,
      ...ownOnly(context),
    }
    const sums = await store.sumUsage(question)
    const points = await store.usagePoints({ ...question, step, ids: leadersOf(sums) })
    const codes = await store.usageCodes(question)
    return context.json(
      {
        from,
        to,
        points: points.map(({ at, id, ...point }) => ({ at: at.toISOString(), id, ...pickCounters(point) })),
        steps: sumBySteps(points),
        sums: sums.slice(0, MOST_SUMS).map(({ id, name, ...sum }) => ({ id, name, ...showSum(sum) })),
        leftOut: Math.max(0, sums.length - MOST_SUMS),
        total: showSum(addUp(sums)),
        codes: codes.map(({ code, requests }) => ({ code, status: statusOf(code), requests })),
      },
      200,
    )
  })
}

function readRange(from: string, to: string, step: 'hour' | 'day'): { from: Date; to: Date } {
  const range = { from: new Date(from), to: new Date(to) }
  const days = (range.to.getTime() - range.from.getTime()) / DAY_MS
  if (days > 0 && days <= MOST_DAYS[step]) return range
  throw new ApiError('invalid_value', `Invalid 'to': expected up to ${MOST_DAYS[step]} days after 'from'.`, 'to')
}

const COUNTERS = ['requests', 'errors', 'promptTokens', 'completionTokens', 'waitMs', 'busyMs'] as const

function leadersOf(sums: readonly UsageSum[]): string[] {
  const leaders = COUNTERS.flatMap((name) =>
    sums
      .toSorted((one, other) => other[name] - one[name])
      .slice(0, MOST_SERIES)
      .map(({ id }) => id),
  )
  return [...new Set(leaders)]
}

type Summed = Counters & { times: readonly number[] }

function sumBySteps(points: readonly UsagePoint[]) {
  const steps = [...Map.groupBy(points, ({ at }) => at.getTime())]
  return steps.map(([at, some]) => ({ at: new Date(at).toISOString(), times: showTimes(addUp(some).times) }))
}

function addUp(all: readonly Summed[]): Summed {
  const total = { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, waitMs: 0, busyMs: 0 }
  const times = noTimes()
  for (const one of all) {
    for (const name of COUNTERS) total[name] += one[name]
    addTimes(times, one.times)
  }
  return { ...total, times }
}

function showSum(sum: Summed) {
  return { ...pickCounters(sum), times: showTimes(sum.times) }
}

function pickCounters({ requests, errors, promptTokens, completionTokens, waitMs, busyMs }: Counters): Counters {
  return { requests, errors, promptTokens, completionTokens, waitMs, busyMs }
}

/** Of waits the long ones matter, of speeds the slow ones. */
function showTimes(times: readonly number[]) {
  return {
    waitMs: quantiles(times, 'wait', 0.95),
    firstTokenMs: quantiles(times, 'firstToken', 0.95),
    tokensPerSecond: quantiles(times, 'speed', 0.05),
  }
}

function quantiles(times: readonly number[], kind: Timed, badShare: number) {
  const [median, bad] = [quantileOf(times, kind, 0.5), quantileOf(times, kind, badShare)]
  return median === null || bad === null ? null : { median: shorten(median), bad: shorten(bad) }
}

/** An estimate has no more than three digits. */
function shorten(value: number): number {
  return Number(value.toPrecision(3))
}

/** Zero for a code that this gateway does not know. */
export function statusOf(code: string): number {
  return isApiErrorCode(code) ? API_ERRORS[code].status : 0
}
