// What the gateways share: the database, and NATS if there are several. Those that the environment names, or else ones that run on this machine.

import { randomBytes } from 'node:crypto'
import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { openStore } from '@hearth/gateway'
import { freePort, NATS_READY, natsUrl, prepareNats, type ServerCommand } from '@hearth/gateway/local-servers'
import { startUntil, type Part } from './part.ts'

const DATABASE_MAIN = fileURLToPath(import.meta.resolve('@hearth/gateway/database'))
const DATABASE_READY = 'database is ready'
const SERVER_MAIN = fileURLToPath(new URL('server-main.ts', import.meta.url))

export interface SharedServices {
  databaseUrl: string
  natsUrl: string
}

export interface SharedServicesOptions {
  data: string
  environment: Readonly<Record<string, string | undefined>>
  onStep: (text: string) => void
  onStart: (part: Part) => void
}

export async function startSharedServices(options: SharedServicesOptions): Promise<SharedServices> {
  const { DATABASE_URL: givenDatabase, NATS_URL: givenNats } = options.environment
  const databaseUrl = givenDatabase || (await startDatabase(options))
  if (!givenDatabase) await forgetGateways(databaseUrl)
  return { databaseUrl, natsUrl: givenNats || (await startNats(options)) }
}

/** A process of its own, so that it outlives every gateway. */
export async function startDatabase({
  data,
  onStep,
  onStart,
}: Omit<SharedServicesOptions, 'environment'>): Promise<string> {
  onStep('database: starting')
  const folder = join(data, 'gateway')
  const options = { name: 'database', file: DATABASE_MAIN, args: [folder], environment: {} }
  onStart(await startUntil(DATABASE_READY, options))
  return `embedded:${folder}`
}

/** Gateways that were killed count as members for minutes, as they might go on out of sight. Ours ended with their database. */
async function forgetGateways(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl)
  await store.forgetReplicas()
  await store.close()
}

async function startNats({ data, onStep, onStart }: SharedServicesOptions): Promise<string> {
  onStep('NATS: starting (downloaded once, unless nats-server is installed)')
  const folder = join(data, 'nats')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Other users of this machine can reach the port.
  const access = { port: await freePort(), user: 'hearth', password: randomBytes(24).toString('hex') }
  onStart(await startServerPart('NATS', await prepareNats({ folder, ...access }), NATS_READY))
  return natsUrl(access)
}

function startServerPart(name: string, command: ServerCommand, ready: string): Promise<Part> {
  return startUntil(ready, { name, file: SERVER_MAIN, args: [JSON.stringify(command)], environment: {} })
}
