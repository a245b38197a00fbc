// `npm run simulate -- --forecasts`: how far the expected time to first token is off.

import { LOADS } from './loads.ts'
import { simulate } from '../simulate.ts'
import { measureForecasts, summarize, type Errors } from './measure-forecasts.ts'

const JOBS = 2_000
const STEPS = 150_000

export async function printForecasts(seed: number): Promise<void> {
  console.log('median error of the expected time to first token: at the submission, if it was queued, while it waits')
  for (const load of LOADS) {
    const { atSubmit, whenQueued, whileWaiting } = measureForecasts(load, seed, JOBS)
    console.log(`  ${[atSubmit, whenQueued, whileWaiting].map(percent).join('  ')}  ${load.name}`)
  }
  const faults = await inRandomWorlds([seed, seed + 1, seed + 2, seed + 3])
  console.log(`  ${percent(faults)}                random worlds, with all their faults`)
}

/** Where devices freeze, crash, refuse and leave. */
async function inRandomWorlds(seeds: readonly number[]): Promise<Errors> {
  const options = { gateways: 1, steps: STEPS, fault: { limits: { sampleMs: 0 } } }
  const runs = await Promise.all(seeds.map((seed) => simulate({ seed, ...options })))
  return summarize(runs.flatMap(({ firstEvents }) => firstEvents))
}

function percent({ median, count }: Errors): string {
  return count === 0 ? '     –' : `${(100 * median).toFixed(1).padStart(5)}%`
}
