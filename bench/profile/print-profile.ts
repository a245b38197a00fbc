// `npm run bench -- profile`: where the gateway's time goes, per load. Writes a flame graph and the profile itself, and prints the most
// expensive functions.

import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { measure, stopMeasuring } from '../measuring/measure.ts'
import { startClients } from '../measuring/open-streams.ts'
import { startHearth, type Hearth, type HearthOptions } from '../systems/hearth.ts'
import { startSealedHearth } from '../systems/sealed-hearth.ts'
import { listCosts, toCallTree } from './costs.ts'
import { drawFlameGraph } from './flame-graph.ts'
import { Inspector, type CpuProfile } from '../gateway/inspector.ts'

interface Load {
  name: string
  options: HearthOptions
  isSealed?: true
  /** Calls `profile` while the gateway is busy and warm; `profile` takes its time. */
  put(system: Hearth, profile: () => Promise<CpuProfile>): Promise<CpuProfile>
}

const SECONDS = 5
const WARM_UP_SECONDS = 5
const MOST_EXPENSIVE = 10
const SLOW_STREAMS = 500

const LOADS: readonly Load[] = [
  { name: 'whole', options: { frames: 'joined' }, put: (...load) => putRequests(false, ...load) },
  { name: 'bursts', options: { frames: 'separate' }, put: (...load) => putRequests(true, ...load) },
  { name: 'slow', options: { frames: 'paced', size: { keys: 1, devices: 8 } }, put: putSlowStreams },
  { name: 'sealed', options: { frames: 'paced', size: { keys: 1, devices: 8 } }, isSealed: true, put: putSlowStreams },
]

export interface ProfileOptions {
  folder: string
  /** The names of the loads; all of them if undefined. */
  only: readonly string[] | undefined
  checkout: string | undefined
}

export async function printProfiles({ folder, only, checkout }: ProfileOptions): Promise<void> {
  mkdirSync(folder, { recursive: true })
  for (const load of LOADS.filter(({ name }) => only === undefined || only.includes(name))) {
    const profile = await takeProfile(load, checkout)
    writeFileSync(join(folder, `${load.name}.cpuprofile`), JSON.stringify(profile))
    writeFileSync(
      join(folder, `${load.name}.svg`),
      drawFlameGraph(toCallTree(profile), `Hearth's gateway: ${load.name}`),
    )
    console.log(`\n${load.name}: ${join(folder, `${load.name}.svg`)}`)
    for (const { name, share } of listCosts(profile).slice(0, MOST_EXPENSIVE))
      console.log(`  ${(100 * share).toFixed(1).padStart(5)} %  ${name}`)
  }
  stopMeasuring()
}

async function takeProfile(load: Load, checkout: string | undefined): Promise<CpuProfile> {
  const options = { ...load.options, checkout, isInspected: true }
  const system = load.isSealed ? (await startSealedHearth(options)).sealed : await startHearth(options)
  const inspector = await Inspector.connect(system.inspectors[0]!)
  const profile = await load.put(system, async () => {
    await inspector.startProfile()
    await sleep(SECONDS * 1_000)
    return inspector.stopProfile()
  })
  inspector.close()
  await system.stop()
  return profile
}

async function putRequests(stream: boolean, system: Hearth, profile: () => Promise<CpuProfile>): Promise<CpuProfile> {
  const load = measure(system, { stream, connections: 32, seconds: WARM_UP_SECONDS + SECONDS + 1 })
  await sleep(WARM_UP_SECONDS * 1_000)
  const taken = await profile()
  await load
  return taken
}

async function putSlowStreams(system: Hearth, profile: () => Promise<CpuProfile>): Promise<CpuProfile> {
  const clients = startClients(system)
  await clients.open(SLOW_STREAMS)
  await sleep(WARM_UP_SECONDS * 1_000)
  const taken = await profile()
  await clients.close()
  return taken
}
