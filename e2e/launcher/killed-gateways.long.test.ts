// Kills gateways of `npm start -- --gateways 3` at random moments, one or two at once, whether they serve or start, while clients ask.

import { setTimeout as sleep } from 'node:timers/promises'
import { Random } from '@hearth/gateway/testing'
import { expect, it } from 'vitest'
import { moreAnswers, underNewConnections } from '../harness/client/under-load.ts'
import type { LauncherProcess } from '../harness/processes/launcher-process.ts'
import { clientOf, findParts, GATEWAY, killParts, startTiny } from './launched-parts.ts'

const KILLS = 60
const LONGEST_PAUSE_MS = 2_000
/** As opposed to one that nobody accepted. */
const LOST_CONNECTION = /ECONNRESET|EPIPE|UND_ERR_SOCKET/

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

it(`all requests are answered while gateways are killed ${KILLS} times at random`, async () => {
  const seed = Date.now() % 1_000_000
  const random = new Random(seed)
  await using launcher = await startTiny('--gateways', '3')
  const kills: { from: number; to: number }[] = []
  const { failures } = await underNewConnections(clientOf(launcher), async (load) => {
    for (let count = 0; count < KILLS; count++) {
      await sleep(random.between(0, LONGEST_PAUSE_MS))
      const victims = await chooseVictims(launcher, random)
      const from = performance.now()
      await killParts(launcher, victims)
      kills.push({ from, to: performance.now() })
      await moreAnswers(load, 6)
    }
  })
  // All but those whose connection was lost with its gateway.
  const unexplained = failures.filter(
    ({ why, from, to }) => !LOST_CONNECTION.test(why) || !kills.some((kill) => kill.from <= to && from <= kill.to),
  )
  expect([...new Set(unexplained.map(({ why }) => why))], `seed ${seed}`).toStrictEqual([])
})
