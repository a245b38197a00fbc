// A client leaves in the middle of a stream, and another one waits for the only slot. How long until the waiting one has it?

import { HI, LONELY, type System } from '../../e2e/harness/start-system.ts'

export async function freeSlots(system: System, times: number): Promise<number[]> {
  const plan = { stall: { at: 1, until: new Promise(() => undefined) } }
  await using device = await system.connectDevice({ models: [{ name: LONELY, slots: 1 }], plan })
  const timesMs: number[] = []
  const ask = (): AbortController => {
    const client = new AbortController()
    const body = { model: LONELY, messages: HI, stream: true }
    system.client.call('/chat/completions', { body, signal: client.signal }).catch(() => undefined)
    return client
  }
  let running = ask()
  for (let time = 0; time < times; time++) {
    await device.until('the first token is sent', () => device.jobs[time]?.sent === 1)
    const next = ask()
    await system.queued(1)
    const leftAt = performance.now()
    running.abort()
    await device.job(time + 1)
    timesMs.push(performance.now() - leftAt)
    running = next
  }
  running.abort()
  return timesMs
}
