// Usage over time: requests, tokens, errors and waiting times.

import { API_ERRORS, ApiError, isApiErrorCode } from '@hearth/chat'
import { z } from '@hono/zod-openapi'
import { startOfMonth, startOfNextMonth } from '../../access/limits/spending.ts'
import type { Counters } from '../../store/usage/usage-addition.ts'
import type { UsagePoint, UsageSum } from '../../store/usage/usage.ts'
import { addTimes, noTimes, quantileOf, type UsageTiming } from '../../store/usage/time-buckets.ts'
import { ownOnly } from '../console.ts'
import { routesOf, json } from '../routes/route.ts'
import { count, dateTime, id, object, tokensPerMonth } from '../routes/shapes.ts'

const DAY_MS = 86_400_000
/** Maximum range, so that the result stays small enough to draw. */
export const MOST_DAYS = { hour: 31, day: 400 }
/** An organization may have ten thousand keys: the result holds this many sums, and a series for each that leads by some counter. */
export const MOST_SUMS = 500
const MOST_SERIES = 8

const route = routesOf('Usage')

const counters = {
  requests: count,
  errors: count.describe(
    'Failures of the service (5xx). Requests that were rejected for what they asked (4xx) are in codes only',
  ),
  promptTokens: count,
  completionTokens: count,
  waitMs: count.describe('Total time that requests waited for a device'),
  busyMs: count.describe('Total time that devices spent on requests'),
}

const quantiles = z
  .object({ median: z.number(), bad: z.number() })
  .nullable()
  .describe('Estimates. `bad` is the 95th percentile of times, and the 5th percentile of speeds')

const times = z.object({ waitMs: quantiles, firstTokenMs: quantiles, tokensPerSecond: quantiles }).openapi('UsageTimes')

const usage = object('Usage', {
  from: dateTime,
  to: dateTime,
  points: z
    .array(z.object({ at: dateTime, id: z.string(), ...counters }))
    .describe(
      'One point for each step and id with usage, oldest first. Ids that lead by no counter are one, whose id is a line feed',
    ),
  steps: z.array(z.object({ at: dateTime, times })).describe('All ids together, oldest first'),
  sums: z
    .array(z.object({ id: z.string(), name: z.string(), ...counters, times }))
    .describe(
      'One for each id over the whole range, most requests first. The id is empty for requests that no device answered, or whose model does not exist',
    ),
  leftOut: count.describe('Ids beyond the first 500'),
  total: z.object({ ...counters, times }),
  codes: z
    .array(z.object({ code: z.string(), status: count, requests: count }))
    .describe('Failed requests by error code, most first'),
})

export const readUsage = route('get', '/organizations/{organization}/usage', {
  access: 'usage.read',
  summary: 'Get the usage of your keys. Admins see all keys',
  request: {
    query: z.object({
      from: dateTime,
      to: dateTime,
      by: z.enum(['model', 'key', 'device']).default('model'),
      step: z.enum(['hour', 'day']).default('hour').describe('Days are in UTC'),
      key: id.optional().describe('Only this key'),
      model: id.optional().describe('Only this model'),
      device: id.optional().describe('Only this device'),
    }),
  },
  responses: json('The usage', usage),
  async handle({ store }, context, { from, to, step, ...asked }) {
    const question = { ...asked, ...readRange(from, to, step), ...ownOnly(context) }
    const sums = await store.sumUsage(question)
    const points = await store.usagePoints({ ...question, step, ids: leadersOf(sums) })
    const codes = await store.usageCodes(question)
    return {
      from,
      to,
      points,
      steps: sumBySteps(points),
      sums: sums.slice(0, MOST_SUMS).map(describeSum),
      leftOut: Math.max(0, sums.length - MOST_SUMS),
      total: describeSum(addUp(sums)),
      codes: codes.map(({ code, requests }) => ({ code, status: statusOf(code), requests })),
    }
  },
})

const budget = object('Budget', {
  holder: z.enum(['key', 'member', 'organization']),
  id: z.string().describe('Of the key, the person or the organization'),
  name: z.string(),
  tokens: tokensPerMonth,
  used: count.describe('Prompt and completion tokens so far this month'),
})

export const listBudgets = route('get', '/organizations/{organization}/budgets', {
  access: 'usage.read',
  summary: "List the organization's budget, yours and those of your keys. Admins see all of them",
  responses: json(
    'The budgets, those nearest to their end first, and 500 at most',
    z.object({ budgets: z.array(budget), startsAgain: dateTime.describe('When the next month begins, in UTC') }),
  ),
  async handle({ store }, context, { organization }) {
    const month = new Date(startOfMonth(Date.now()))
    const budgets = await store.listBudgets({ organization, month, ...ownOnly(context) })
    return { budgets, startsAgain: startOfNextMonth(Date.now()) }
  },
})

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
  return steps.map(([at, some]) => ({ at: new Date(at), times: describeTimes(addUp(some).times) }))
}

export function addUp(all: readonly Summed[]): Summed {
  const total = { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, waitMs: 0, busyMs: 0 }
  const times = noTimes()
  for (const one of all) {
    for (const name of COUNTERS) total[name] += one[name]
    addTimes(times, one.times)
  }
  return { ...total, times }
}

function describeSum<Sum extends Summed>(sum: Sum) {
  return { ...sum, times: describeTimes(sum.times) }
}

/** Of waits the long ones matter, of speeds the slow ones. */
function describeTimes(times: readonly number[]) {
  return {
    waitMs: describeQuantiles(times, 'wait', 0.95),
    firstTokenMs: describeQuantiles(times, 'firstToken', 0.95),
    tokensPerSecond: describeQuantiles(times, 'speed', 0.05),
  }
}

function describeQuantiles(times: readonly number[], kind: UsageTiming, badShare: number) {
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
