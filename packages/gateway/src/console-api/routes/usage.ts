// Usage over time: requests, tokens, errors and waiting times.

import { z } from '@hono/zod-openapi'
import { routesOf, json } from './route.ts'
import { count, id, moment, object, tokensPerMonth } from './shapes.ts'

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
  from: moment,
  to: moment,
  points: z
    .array(z.object({ at: moment, id: z.string(), ...counters }))
    .describe(
      'One point for each step and id with usage, oldest first. Ids that lead by no counter are one, whose id is a line feed',
    ),
  steps: z.array(z.object({ at: moment, times })).describe('All ids together, oldest first'),
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
      from: moment,
      to: moment,
      by: z.enum(['model', 'key', 'device']).default('model'),
      step: z.enum(['hour', 'day']).default('hour').describe('Days are in UTC'),
      key: id.optional().describe('Only this key'),
      model: id.optional().describe('Only this model'),
      device: id.optional().describe('Only this device'),
    }),
  },
  responses: json('The usage', usage),
})

export const budget = object('Budget', {
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
    z.object({ budgets: z.array(budget), startsAgain: moment.describe('When the next month begins, in UTC') }),
  ),
})
