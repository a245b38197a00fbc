// Starts a gateway. `wiring/` connects its parts: `parts` opens them, `open-routes` says what is answered.

import { setTimeout as sleep } from 'node:timers/promises'
import { createSetUpLink } from './access/secrets/set-up-link.ts'
import type { Config } from './config.ts'
import { askItself } from './http/ask-itself.ts'
import { listen } from './http/listen.ts'
import { createHttpServer } from './http/server.ts'
import type { Log } from './observe/log.ts'
import { watchUnserved } from './observe/unserved-models.ts'
import { realClock } from './time/clock.ts'
import { repeat } from './time/repeat.ts'
import type { Store } from './store/store.ts'
import { startUpkeep } from './upkeep/upkeep.ts'
import { openRoutes } from './wiring/open-routes.ts'
import { closeParts, openParts } from './wiring/parts.ts'
import type { LoadLimit } from './load/load-limit.ts'
import { LoopMeter } from './load/loop-meter.ts'

/** A client that keeps its connection may just be sending its next request: it is answered here, and the reply closes the connection. */
const NEXT_REQUEST_MS = 2_000

export interface Gateway {
  readonly port: number
  /** Sends this gateway a request, and resolves when it has dealt with it. Rejects if it doesn't. */
  askItself(): Promise<void>
  /**
   * Finishes running jobs, up to the drain limit, then closes everything except the store. A successor has the listening sockets too: then
   * nothing is rejected meanwhile.
   */
  close(hasSuccessor?: boolean): Promise<void>
}

export async function startGateway(config: Config, store: Store, log: Log): Promise<Gateway> {
  const parts = await openParts(config, store, log)
  await parts.book.refresh()
  void parts.book.follow()
  const stopReading = parts.spending.follow(config.USAGE_FLUSH_MS)
  startUpkeep(config, parts)
  const server = createHttpServer(openRoutes(config, parts))
  const stopWatching = watchLoad(parts.load)
  const stopLooking = watchUnserved(parts.fleet, log)
  const listening = await listen(server, {
    port: config.PORT,
    host: config.HOST,
    isShared: config.NATS_URL !== '',
    given: config.LISTEN_FDS,
  })
  const { port, ownPort } = listening
  const leave = async (hasSuccessor: boolean) => {
    if (hasSuccessor) listening.stopTaking()
    parts.leaving.abort()
    await sleep(Math.max(config.READY_GRACE_MS, hasSuccessor ? NEXT_REQUEST_MS : 0))
    if (hasSuccessor) server.closeIdleConnections()
    await closeParts(config, parts, hasSuccessor)
    await listening.close()
    stopWatching()
    stopLooking()
    stopReading()
    // After the last request: even one that is rejected now is counted.
    await parts.ledger.close()
  }
  let closed: Promise<void> | undefined
  await logSetUpLink(store, log, config.PUBLIC_URL || `http://localhost:${port}`)
  return {
    port,
    askItself: () => askItself(ownPort),
    close: (hasSuccessor = false) => (closed ??= leave(hasSuccessor)),
  }
}

async function logSetUpLink(store: Store, log: Log, base: string): Promise<void> {
  const link = await createSetUpLink(store, base)
  if (link) log.info({ link }, 'nobody can sign in yet: open this link to become the first owner')
}

const LOOK_MS = 100

/**
 * Looks at the event loop ten times a second and tells the limit. Call the returned function to
 * stop.
 */
function watchLoad(limit: LoadLimit): () => void {
  const meter = new LoopMeter()
  return repeat(realClock, LOOK_MS, () => limit.look(meter.read()))
}
