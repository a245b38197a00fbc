// `npm run bench -- fleet`: how long answers take on fleets of uneven and of equal devices, beside what the devices could do.

import { availableParallelism } from 'node:os'
import { WORLDS } from '@hearth/gateway/testing'
import { printRow, type Bar } from '../report.ts'
import { computeRun } from './compute-run.ts'
import { measureRun, WARM_UP_SECONDS, type FleetResult } from './measure-run.ts'
import type { FleetRun } from './requests.ts'

export interface FleetOptions {
  /** Parts of the names of runs. */
  only: readonly string[] | undefined
  seconds: number
  seed: number
  /** Another checkout, whose gateway gets the same requests. */
  against: string | undefined
}

/** A gateway with its database, its devices and its clients. */
const CORES_PER_RUN = 2
const OURS = 'Hearth'
const OTHERS = 'the other checkout'
const IDEAL = 'earliest end'

/** What a run may take, as multiples of the earliest end. */
const BARS: Readonly<Record<string, Record<'mean' | 'p95' | 'longest', number>>> = {
  'six uneven devices, half as fast at 10 %': { mean: 1.1, p95: 1.2, longest: 2 },
  'six uneven devices at 50 %': { mean: 1.15, p95: 1.3, longest: 3 },
  'six uneven devices at 80 %': { mean: 1.2, p95: 1.4, longest: 4 },
  'six uneven devices at 95 %': { mean: 1.1, p95: 1.4, longest: 4 },
}
/** Of the other checkout's figure, which differs a little from run to run. */
const NOT_WORSE = 1.03

type Results = Map<string, FleetResult>

export async function printFleet({ only, seconds, seed, against }: FleetOptions): Promise<void> {
  const runs = WORLDS.flatMap(({ name: world, loads }) => loads.map((load) => ({ world, load, seed })))
    .map((run) => ({ ...run, seconds: WARM_UP_SECONDS + seconds }))
    .filter((run) => only === undefined || only.some((part) => nameOf(run).includes(part)))
  console.log(
    `${runs.length} runs of ${seconds} s, after ${WARM_UP_SECONDS} s at the same load in which the gateway gets to know its devices. Seed ${seed}.`,
  )
  await measureAll(runs, against)
}

function nameOf({ world, load }: FleetRun): string {
  return `${world} at ${Math.round(100 * load)} %`
}

/** As many next to each other as the machine has cores for; both checkouts with the same requests at the same time. */
async function measureAll(runs: readonly FleetRun[], against: string | undefined): Promise<void> {
  const gateways = new Map<string, string | undefined>([[OURS, undefined]])
  if (against !== undefined) gateways.set(OTHERS, against)
  const found = new Map(runs.map((run): [FleetRun, Results] => [run, new Map()]))
  const tasks = runs.flatMap((run) => [...gateways].map(([who, checkout]) => ({ run, who, checkout }))).values()
  const work = async () => {
    for (const { run, who, checkout } of tasks) {
      const results = found.get(run)!.set(who, await measureRun(run, checkout))
      if (results.size === gateways.size) printRun(run, new Map([...results, ...computeRun(run)]))
    }
  }
  const together = Math.max(1, Math.floor(availableParallelism() / CORES_PER_RUN))
  await Promise.all(Array.from({ length: together }, work))
}

function printRun(run: FleetRun, results: Results): void {
  const ours = results.get(OURS)!
  const ideal = results.get(IDEAL)!
  console.log(`\n${nameOf(run)}: ${ours.count + ours.failures} requests\n`)
  console.log('| | mean, s | p95 | longest | first token | ÷ earliest end | read again | by device, % | |')
  console.log('| --- | --: | --: | --: | --: | --: | --: | --: | --- |')
  for (const [who, result] of results) console.log(formatLine(who, result, ideal))
  const bars = barsOf(nameOf(run), results)
  if (bars.length > 0) printRow({ what: 'bars', figures: {}, bars })
}

function formatLine(who: string, result: FleetResult, ideal: FleetResult): string {
  const { mean, p95, longest, first, readAgain, devices, failures, moved } = result
  const seconds = [mean, p95, longest, first].map((ms) => (ms / 1_000).toFixed(2))
  const ratios = [mean / ideal.mean, p95 / ideal.p95, longest / ideal.longest].map((ratio) => ratio.toFixed(2))
  const parts = devices.map((part) => Math.round(100 * part))
  const notes = [...(failures > 0 ? [`${failures} failed`] : []), ...(moved > 0 ? [`${moved} moved`] : [])]
  const cells = [
    who,
    ...seconds,
    ratios.join(', '),
    `${(100 * readAgain).toFixed(1)} %`,
    parts.join(' '),
    notes.join(', '),
  ]
  return `| ${cells.join(' | ')} |`
}

function barsOf(name: string, results: Results): Bar[] {
  const ours = results.get(OURS)!
  const ideal = results.get(IDEAL)!
  const other = results.get(OTHERS)
  const most = BARS[name]
  const times = (['mean', 'p95', 'longest'] as const).flatMap((what) =>
    most === undefined ? [] : [{ unit: `× earliest end, ${what}`, value: ours[what] / ideal[what], most: most[what] }],
  )
  if (other === undefined) return times
  return [
    ...times,
    { unit: `× ${OTHERS}, mean`, value: ours.mean / other.mean, most: NOT_WORSE },
    { unit: `% more read again than with ${OTHERS}`, value: 100 * (ours.readAgain - other.readAgain), most: 1 },
  ]
}
