// A device dies before the first token of its job. How long until another device has the job?

import type { ScriptedDevice } from '@hearth/gateway/testing'
import { HI, PAIR, type System } from '../../e2e/harness/start-system.ts'

export async function takeOver(system: System, times: number): Promise<number[]> {
  const timesMs: number[] = []
  let pair = [await connect(system), await connect(system)]
  for (let time = 0; time < times; time++) {
    const client = new AbortController()
    const call = system.client.call('/chat/completions', {
      body: { model: PAIR, messages: HI },
      signal: client.signal,
    })
    call.catch(() => undefined)
    const [victim, spare] = await offered(pair)
    const diedAt = performance.now()
    victim.crash()
    await spare.job(0)
    timesMs.push(performance.now() - diedAt)
    client.abort()
    await Promise.all(pair.map((device) => device[Symbol.asyncDispose]()))
    pair = [await connect(system), await connect(system)]
  }
  await Promise.all(pair.map((device) => device[Symbol.asyncDispose]()))
  return timesMs
}

/** Accepts jobs and never answers. */
async function connect(system: System): Promise<ScriptedDevice> {
  const plan = { stall: { at: 0, until: new Promise(() => undefined) } }
  return system.connectDevice({ models: [{ name: PAIR, slots: 1 }], plan })
}

/** The device that got the job first. */
async function offered([one, two]: readonly ScriptedDevice[]): Promise<[ScriptedDevice, ScriptedDevice]> {
  const first = await Promise.race([one!.job(0).then(() => one!), two!.job(0).then(() => two!)])
  return first === one ? [one, two!] : [two!, one!]
}
