// Waits until every gateway behind the port can answer requests: each of them reads from the database by itself which models are enabled.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateways } from './gateways.ts'

const LOOK_MS = 50

/** Rejects if a gateway stops meanwhile. */
export async function waitUntilReady({ url, parts }: Pick<Gateways, 'url' | 'parts'>): Promise<void> {
  const ready = new Set<string>()
  for (;;) {
    const name = await findReady(url)
    if (name !== undefined) ready.add(name)
    if (ready.size >= parts.length) return
    const stopped = parts.find(({ isRunning }) => !isRunning)
    if (stopped) throw new Error(`The ${stopped.name} stopped:\n${stopped.lastLines()}`)
    await sleep(LOOK_MS)
  }
}

/** The ID of the gateway that took the connection, if it is ready. The next connection may reach another one. */
async function findReady(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/readyz`, { headers: { connection: 'close' } })
    const { gateway = 'the only one' } = (await response.json()) as { gateway?: string }
    return response.ok ? gateway : undefined
  } catch {
    return undefined
  }
}
