// Clients that ask without a break while the operator does something, on kept connections and on new ones.

import { setTimeout as sleep } from 'node:timers/promises'
import { QUESTION, type Hearth } from './hearth.ts'
import { figure, type Figure } from './week.ts'

export interface Load {
  answered: number
  failures: string[]
}

const CLIENTS = [{}, { connection: 'close' }, { connection: 'close' }]
/** Of a client that got no answer. */
const BREATH_MS = 100

/** Begins when the first request is answered, and returns when the last one is. */
export async function underLoad({ client }: Hearth, act: () => Promise<unknown>): Promise<Load> {
  const load: Load = { answered: 0, failures: [] }
  const first = Promise.withResolvers<void>()
  const over = new AbortController()
  const keepAsking = async (headers: Record<string, string>) => {
    while (!over.signal.aborted) {
      const failure = await client.post(QUESTION, { headers }).then(
        ({ status, text }) => (status === 200 ? undefined : `${status} ${text}`),
        (error: unknown) => `${String(error)} ${String((error as Error).cause)}`,
      )
      if (failure === undefined) load.answered += 1
      else await sleep(BREATH_MS, load.failures.push(failure))
      first.resolve()
    }
  }
  const asking = CLIENTS.map((headers) => keepAsking(headers))
  try {
    await first.promise
    await act()
  } finally {
    over.abort()
    await Promise.all(asking)
  }
  return load
}

export function noneFailed({ answered, failures }: Load): Figure {
  for (const failure of new Set(failures)) console.log(`  failed: ${failure}`)
  return figure('requests meanwhile', `${answered} answered, ${failures.length} failed`, failures.length === 0)
}
