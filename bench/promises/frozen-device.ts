// A device takes jobs off the network and answers nothing, like a suspended machine. How long do its requests take when another device is
// free?

import { HI, PAIR, type System } from '../../e2e/harness/start-system.ts'

const TOGETHER = 10

export async function outliveFrozen(system: System, rounds: number): Promise<number[]> {
  const timesMs: number[] = []
  for (let round = 0; round < rounds; round++) timesMs.push(...(await askFrozen(system)))
  return timesMs
}

/** The frozen device is alone at first, so that it gets every request. */
async function askFrozen(system: System): Promise<number[]> {
  const models = [{ name: PAIR, slots: TOGETHER }]
  await using frozen = await system.connectDevice({ models, plan: { ignoresOffer: true } })
  const calls = Array.from({ length: TOGETHER }, () => timed(system))
  await frozen.job(TOGETHER - 1)
  await using _spare = await system.connectDevice({ models })
  return await Promise.all(calls)
}

async function timed(system: System): Promise<number> {
  const start = performance.now()
  const { status } = await system.client.call('/chat/completions', { body: { model: PAIR, messages: HI } })
  if (status !== 200) throw new Error(`Cannot measure: a request got status ${status}`)
  return performance.now() - start
}
