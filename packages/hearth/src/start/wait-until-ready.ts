// Waits until every gateway behind the port can answer requests: each of them reads from the database which models are enabled.

import { setTimeout as sleep } from 'node:timers/promises'
import type { Gateways } from './gateways.ts'

const LOOK_MS = 50

export async function waitUntilReady({ url, count, pids }: Pick<Gateways, 'url' | 'count' | 'pids'>): Promise<void> {
  let running = ''
  const ready = new Set<string>()
  while (ready.size < count) {
    // One that stopped meanwhile doesn't count, and the one in its place has an ID of its own.
    if (running !== (running = pids().join())) ready.clear()
    const name = await findReady(url)
    if (name === undefined) await sleep(LOOK_MS)
    else ready.add(name)
  }
}

/** The ID of the gateway that took the connection, if it is ready. The next connection may reach another one. */
async function findReady(url: string): Promise<string | undefined> {
  try {
    const response = await fetch(`${url}/readyz`, { headers: { connection: 'close' } })
    const { gateway = 'the only one' } = (await response.json()) as { gateway?: string }
    return response.ok ? gateway : undefined
  } catch {
    // No gateway listens yet, or the one that answered has just ended.
    return undefined
  }
}
