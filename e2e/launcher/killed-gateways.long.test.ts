// Kills gateways of `npm start -- --gateways 3` at random moments, one or two at once, whether they serve or start, while clients ask.

import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@hearth/gateway/testing'
import { expect, it } from 'vitest'
import type { LauncherProcess } from '../harness/processes/launcher-process.ts'
import { clientOf, findParts, GATEWAY, killParts, startTiny } from './launched-parts.ts'
import { SteadyClient } from './steady-client.ts'

const KILLS = 60
const LONGEST_PAUSE_MS = 2_000

/** One or two gateways; at least one that serves is left, so that the address can answer. */
async function chooseVictims(launcher: LauncherProcess, random: Random): Promise<number[]> {
  const all = await findParts(launcher, GATEWAY)
  const shuffled = random.shuffled(all)
  const spared = shuffled.find((pid) => isServing(launcher, pid))
  const others = shuffled.filter((pid) => pid !== spared)
  return spared === undefined ? [] : others.slice(0, random.between(1, 2))
}

function isServing(launcher: LauncherProcess, pid: number): boolean {
  return new RegExp(String.raw`process IDs? .*\b${pid}\b`).test(launcher.output())
}

it(`[R15a] all requests are answered while gateways are killed ${KILLS} times at random`, async () => {
  const seed = Date.now() % 1_000_000
  const random = new Random(seed)
  await using launcher = await startTiny('--gateways', '3')
  await using client = new SteadyClient(clientOf(launcher))
  for (let kill = 0; kill < KILLS; kill++) {
    await sleep(random.between(0, LONGEST_PAUSE_MS))
    const victims = await chooseVictims(launcher, random)
    await client.during(() => killParts(launcher, victims))
  }
  expect(await client.unexplained(), `seed ${seed}`).toStrictEqual([])
})
