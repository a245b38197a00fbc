// Clients that ask without a break while something happens, on kept connections and on new ones.

import { setTimeout as sleep } from 'node:timers/promises'
import { DEADLINE_MS } from '../deadline.ts'
import type { Client } from './client.ts'

export interface Load {
  answered: number
  failures: { why: string; from: number; to: number }[]
}

export const QUESTION = { model: 'tiny', messages: [{ role: 'user', content: 'Hi' }], max_tokens: 4 }

const NEW_CONNECTION = { connection: 'close' }
/** Of a client that got no answer. */
const BREATH_MS = 100
const LOOK_AGAIN_MS = 20

/** Begins when the first request is answered, and returns when the last one is. */
export async function underLoad(
  client: Client,
  act: (load: Load) => Promise<unknown>,
  clients: readonly Record<string, string>[] = [{}, NEW_CONNECTION, NEW_CONNECTION],
): Promise<Load> {
  const load: Load = { answered: 0, failures: [] }
  const first = Promise.withResolvers<void>()
  const over = new AbortController()
  const keepAsking = async (headers: Record<string, string>) => {
    while (!over.signal.aborted) {
      const from = performance.now()
      const why = await failureOf(client, headers)
      if (why === undefined) load.answered += 1
      else await sleep(BREATH_MS, load.failures.push({ why, from, to: performance.now() }))
      first.resolve()
    }
  }
  const asking = clients.map((headers) => keepAsking(headers))
  try {
    await first.promise
    await act(load)
  } finally {
    over.abort()
    await Promise.all(asking)
  }
  return load
}

/** The same, all on new connections: what they get says who accepts connections right now. */
export function underNewConnections(client: Client, act: (load: Load) => Promise<unknown>): Promise<Load> {
  return underLoad(client, act, [NEW_CONNECTION, NEW_CONNECTION, NEW_CONNECTION])
}

/** Resolves after this many more answers. */
export async function moreAnswers(load: Load, count: number): Promise<void> {
  const enough = load.answered + count
  const deadline = AbortSignal.timeout(DEADLINE_MS)
  while (load.answered < enough) await sleep(LOOK_AGAIN_MS, undefined, { signal: deadline })
}

async function failureOf(client: Client, headers: Record<string, string>): Promise<string | undefined> {
  try {
    const { status, text } = await client.post(QUESTION, { headers })
    return status === 200 ? undefined : `${status} ${text}`
  } catch (error) {
    const { message, cause } = error as Error
    return `${message}: ${(cause as NodeJS.ErrnoException | undefined)?.code ?? String(cause)}`
  }
}
