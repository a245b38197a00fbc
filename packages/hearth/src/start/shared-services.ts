// The services that gateways share: the database, and NATS if there are several. The environment names them, or they run on this machine.

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort, NATS_READY, natsUrl, prepareNats } from '@hearth/gateway/local-servers'
import type { LaunchContext } from './launch-context.ts'
import type { Options } from './options.ts'
import { Part } from '../supervise/part.ts'
import { startProcess } from '../supervise/part-process.ts'

const DATABASE_MAIN = fileURLToPath(import.meta.resolve('@hearth/gateway/database'))
const DATABASE_READY = 'database is ready'
const SERVER_MAIN = fileURLToPath(new URL('server-main.ts', import.meta.url))

export interface SharedServices {
  databaseUrl: string
  /** Only if there are several gateways. */
  natsUrl?: string
}

export async function startSharedServices(options: Options, context: LaunchContext): Promise<SharedServices> {
  const { DATABASE_URL: givenDatabase = '', NATS_URL: givenNats } = process.env
  const isOwn = hasOwnDatabase(process.env)
  if (!isOwn) context.screen.step('database: the PostgreSQL that DATABASE_URL names')
  const databaseUrl = isOwn ? await startDatabase(options, context) : givenDatabase
  if (options.gateways === 1) return { databaseUrl }
  return { databaseUrl, natsUrl: givenNats || (await startNats(options, context)) }
}

/** Whether the database is the one that comes along. */
export function hasOwnDatabase({ DATABASE_URL: database = '' }: NodeJS.ProcessEnv): boolean {
  return !/^postgres(ql)?:/.test(database)
}

/** A process of its own, so that it outlives every gateway. */
async function startDatabase({ data }: Options, { parts, screen }: LaunchContext): Promise<string> {
  screen.step('database: starting')
  const folder = join(data, 'gateway')
  const database = new Part({
    name: 'database',
    ready: DATABASE_READY,
    // Notices, such as the user that it runs as. Its errors say why it stopped.
    read: (line, stream) => (stream === 'stdout' && line !== DATABASE_READY ? line : undefined),
    tell: (text) => screen.step(text),
    launch: (onLine, onAlive) => startProcess({ file: DATABASE_MAIN, args: [folder], onLine, onAlive }),
  })
  await parts.start(database)
  return `embedded:${folder}`
}

async function startNats({ data }: Options, { parts, screen }: LaunchContext): Promise<string> {
  screen.step('NATS: starting (downloaded once, unless nats-server is installed)')
  const folder = join(data, 'nats')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Other users of this machine can reach the port.
  const access = { port: await freePort(), user: 'hearth', password: randomBytes(24).toString('hex') }
  const command = JSON.stringify(await prepareNats({ folder, ...access }))
  const nats = new Part({
    name: 'NATS',
    ready: NATS_READY,
    tell: (text) => screen.step(text),
    // Always the same command: the gateways look for it where it was.
    launch: (onLine, onAlive) => startProcess({ file: SERVER_MAIN, args: [command], onLine, onAlive }),
  })
  await parts.start(nats)
  return natsUrl(access)
}
