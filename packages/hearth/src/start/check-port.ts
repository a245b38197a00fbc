// Checks the port before anything else starts: a port in use is a common mistake, and quick to find.

import { once } from 'node:events'
import { createServer } from 'node:net'
import { isRunning, listInstances } from '@hearth/instances'
import { UsageError } from './options.ts'

const HIGHEST_PORT = 65_535
const MOST_TRIED = 100

export async function checkPort(port: number): Promise<void> {
  const code = await tryPort(port)
  if (code === undefined) return
  const advice = `Try another one: npm start -- --port ${await findFree(port)}`
  if (code !== 'EADDRINUSE') throw new UsageError(`Cannot use port ${port} (${code}). ${advice}`)
  throw new UsageError(`Port ${port} is already in use by ${describeUser(port)}. ${advice}`)
}

/** Why this port can't be used; undefined if it can. */
async function tryPort(port: number): Promise<string | undefined> {
  const server = createServer().listen(port, '127.0.0.1')
  try {
    await once(server, 'listening')
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown reason'
  }
  server.close()
  await once(server, 'close')
  return undefined
}

/** The next one that is free now. */
async function findFree(port: number): Promise<number> {
  const from = Math.max(port, 1024) + 1
  for (let next = from; next < Math.min(from + MOST_TRIED, HIGHEST_PORT); next++)
    if ((await tryPort(next)) === undefined) return next
  return 8080
}

function describeUser(port: number): string {
  const hearth = listInstances(process.env).find(
    ({ url, ...one }) => new URL(url).port === String(port) && isRunning(one),
  )
  return hearth ? `the Hearth in ${hearth.folder} (process ID ${hearth.pid})` : 'another program'
}
