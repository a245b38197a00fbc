import type { Counters } from '../../store/usage/usage-addition.ts'
import { organizationOf, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/device-day.ts'

/** Few devices answer with more models in a day. */
const MOST_MODELS = 100

const COUNTERS = ['requests', 'errors', 'promptTokens', 'completionTokens', 'busyMs'] as const

type DayCounters = Pick<Counters, (typeof COUNTERS)[number]>

export function addDeviceDay(app: ConsoleApp, { store, fleet }: ConsoleParts): void {
  app.openapi(routes.readDeviceDay, async (context) => {
    const { device } = context.req.valid('param')
    const organization = organizationOf(context)
    if (!(await store.listDevices(organization)).some(({ id }) => id === device)) throw notFound('device')
    const now = new Date()
    const from = startOfDay(now)
    const sums = await store.sumUsage({ organization, device, from, to: now, by: 'model' })
    const takeOvers = await store.countTakeOvers({ organization, device, from })
    const { devices } = await fleet.view(organization)
    return context.json(
      {
        since: from.toISOString(),
        total: sums.reduce<DayCounters>(addUp, NOTHING),
        models: sums.slice(0, MOST_MODELS).map((sum) => ({ name: sum.name, ...addUp(NOTHING, sum) })),
        takeOvers,
        energy: devices.find(({ id }) => id === device)?.energy ?? null,
      },
      200,
    )
  })
}

const NOTHING: DayCounters = { requests: 0, errors: 0, promptTokens: 0, completionTokens: 0, busyMs: 0 }

function addUp(one: DayCounters, other: DayCounters): DayCounters {
  const sum = { ...NOTHING }
  for (const name of COUNTERS) sum[name] = one[name] + other[name]
  return sum
}

function startOfDay(now: Date): Date {
  return new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()))
}
