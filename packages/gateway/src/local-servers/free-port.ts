// A port for a program that cannot choose one itself. It is below the range from which systems assign ports, so no other test gets it.

import { randomInt } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:net'

const LOWEST = 20_000
const HIGHEST = 32_000

export async function freePort(): Promise<number> {
  const port = randomInt(LOWEST, HIGHEST)
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch {
    // The port is taken. Try another one.
    return freePort()
  }
  server.close()
  await once(server, 'close')
  return port
}
