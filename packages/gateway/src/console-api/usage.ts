import { ApiError } from '../errors.ts'
import type { Counters, UsagePoint } from '../store/store.ts'
import { organizationOf, ownOnly, type ConsoleApp, type ConsoleParts } from './console.ts'
import * as routes from './routes/usage.ts'

const DAY_MS = 86_400_000
/** Maximum range, so that the result stays small enough to draw. */
const MOST_DAYS = { hour: 31, day: 400 }

export function addUsage(app: ConsoleApp, { store }: ConsoleParts): void {
  app.openapi(routes.readUsage, async (context) => {
    const { from, to, by, step, key, model, device } = context.req.valid('query')
    const range = readRange(from, to, step)
    const points = await store.sumUsage({
      organization: organizationOf(context),
      ...range,
      by,
      step,
      ...(key !== undefined && { key }),
      ...(model !== undefined && { model }),
      ...(device !== undefined && { device }),
      ...ownOnly(context),
    })
    const shown = points.map(({ at, id, ...point }) => ({ at: at.toISOString(), id, ...pickCounters(point) }))
    return context.json({ from, to, points: shown, sums: sumByName(points), total: sum(points) }, 200)
  })
}

function readRange(from: string, to: string, step: 'hour' | 'day'): { from: Date; to: Date } {
  const range = { from: new Date(from), to: new Date(to) }
  const days = (range.to.getTime() - range.from.getTime()) / DAY_MS
  if (days > 0 && days <= MOST_DAYS[step]) return range
  throw new ApiError('invalid_value', `Invalid 'to': expected up to ${MOST_DAYS[step]} days after 'from'.`, 'to')
}

function sumByName(points: readonly UsagePoint[]) {
  const groups = [...Map.groupBy(points, ({ id }) => id).entries()]
  return groups
    .map(([id, group]) => ({ id, name: group[0]!.name, ...sum(group) }))
    .toSorted((one, other) => other.requests - one.requests)
}

function pickCounters({ requests, errors, promptTokens, completionTokens, waitMs }: Counters): Counters {
  return { requests, errors, promptTokens, completionTokens, waitMs }
}

function sum(points: readonly Counters[]): Counters {
  const total = { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, waitMs: 0 }
  for (const point of points) for (const name of Object.keys(total) as (keyof Counters)[]) total[name] += point[name]
  return total
}
