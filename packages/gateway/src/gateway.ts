// Starts a gateway. `wiring/` connects its parts: `parts` opens them, `open-routes` says what is answered.

import { sweepDeletions } from './access/deletion-sweep.ts'
import { pauseUntil, sweepPlaygroundKeys } from './access/playground-sweep.ts'
import { createSetUpLink } from './access/secrets/set-up-link.ts'
import type { Config } from './config.ts'
import { askItself } from './http/ask-itself.ts'
import { listen } from './http/listen.ts'
import { createHttpServer } from './http/server.ts'
import type { Log } from './observe/log.ts'
import type { Store } from './store/store.ts'
import { openRoutes } from './wiring/open-routes.ts'
import { closeParts, openParts } from './wiring/parts.ts'
import type { LoadLimit } from './load/load-limit.ts'
import { LoopMeter } from './load/loop-meter.ts'

export interface Gateway {
  readonly port: number
  /** Sends this gateway a request, and resolves when it has dealt with it. Rejects if it doesn't. */
  askItself(): Promise<void>
  /** Finishes running jobs, up to the drain limit, then closes everything except the store. */
  close(): Promise<void>
}

export async function startGateway(config: Config, store: Store, log: Log): Promise<Gateway> {
  const parts = await openParts(config, store, log)
  await parts.book.refresh()
  void parts.book.follow()
  const sweep = { store, onError: parts.onStoreError, pause: pauseUntil(parts.closing.signal) }
  void sweepPlaygroundKeys(sweep)
  void sweepDeletions(sweep)
  const server = createHttpServer(openRoutes(config, parts))
  const stopWatching = watchLoad(parts.load)
  const listening = await listen(server, {
    port: config.PORT,
    host: config.HOST,
    isShared: config.NATS_URL !== '',
    given: config.LISTEN_FDS,
  })
  const { port, ownPort } = listening
  await logSetUpLink(store, log, config.PUBLIC_URL || `http://localhost:${port}`)
  return {
    port,
    askItself: () => askItself(ownPort),
    async close() {
      await closeParts(config, parts)
      await listening.close()
      stopWatching()
      // After the last request: even one that is rejected now is counted.
      await parts.ledger.close()
    },
  }
}

async function logSetUpLink(store: Store, log: Log, base: string): Promise<void> {
  const link = await createSetUpLink(store, base)
  if (link) log.info({ link }, 'nobody can sign in yet: open this link to become the first owner')
}

// Looks at the event loop ten times a second and tells the limit.
const LOOK_MS = 100

/** Call the returned function to stop. */
function watchLoad(limit: LoadLimit): () => void {
  const meter = new LoopMeter()
  const timer = setInterval(() => limit.look(meter.read()), LOOK_MS).unref()
  return () => clearInterval(timer)
}
