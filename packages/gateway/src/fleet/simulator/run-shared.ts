// `npm run simulate -- --gateways 3`: runs several gateways in random worlds, and shows the steps of the first that breaks a promise.

import { Violation } from './violation.ts'
import { shrink } from './shrink.ts'
import { simulateShared, type SharedRunOptions } from './simulate-shared.ts'
import type { SharedOptions } from './shared-world.ts'

const WORLDS_BETWEEN_LINES = 100

export async function runShared(options: SharedOptions, first: number, seeds: number): Promise<void> {
  const total = { worlds: 0, virtualMs: 0, submitted: 0, delivered: 0 }
  for (let seed = first; seed < first + seeds; seed++) {
    const run = await runOne({ ...options, seed })
    total.worlds += 1
    total.virtualMs += run.virtualMs
    total.submitted += run.submitted
    total.delivered += run.delivered
    if (total.worlds % WORLDS_BETWEEN_LINES === 0 || total.worlds === seeds)
      console.log(
        `${total.worlds} worlds of ${options.gateways} gateways: ${total.submitted} jobs, ${total.delivered} events, ${Math.round(total.virtualMs / 1_000)} virtual seconds`,
      )
  }
}

async function runOne(options: SharedRunOptions): ReturnType<typeof simulateShared> {
  try {
    return await simulateShared(options)
  } catch (error) {
    if (!(error instanceof Violation)) throw error
    console.error(`Seed ${options.seed} breaks a promise: looking for the least trouble that does...`)
    const { message, plan } = await shrink(options)
    const troubles = plan.map(({ at, kind, ms }) => `${kind} at ${at} ms for ${ms} ms`)
    throw new Violation(`${message}\nIt takes ${plan.length} troubles: ${troubles.join(', ')}`, { cause: error.cause })
  }
}
