import { setTimeout as sleep } from 'node:timers/promises'
import { Inspector } from '../gateway/inspector.ts'
import { memoryBytes } from '../gateway/process-facts.ts'

/** Time for gateways to finish what they still have to do. */
const REST_MS = 1_000

/** Of all gateways, without garbage: how much of it there is at a moment depends on chance. They must be inspected. */
export async function settledMemory({ inspectors, pids }: { inspectors: string[]; pids: number[] }): Promise<number> {
  await sleep(REST_MS)
  for (const url of inspectors) {
    const gateway = await Inspector.connect(url)
    await gateway.collectGarbage()
    gateway.close()
  }
  return memoryBytes(pids)
}
