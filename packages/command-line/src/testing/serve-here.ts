// A server for one test, closed when the test is over.

import type { Server } from 'node:http'
import { onTestFinished } from 'vitest'
import { closeServer, listen } from './listen.ts'

/** Returns the server's address. */
export function serveHere(server: Server): Promise<string> {
  // Nobody waits for it: what became of a connection after an upgrade is up to the test.
  onTestFinished(() => void closeServer(server))
  return listen(server)
}
