// What several gateways share: PostgreSQL and NATS. Those that the environment names, or else ones that run on this machine.

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import {
  createDatabase,
  freePort,
  NATS_READY,
  natsUrl,
  POSTGRES_READY,
  prepareNats,
  preparePostgres,
  type ServerCommand,
} from '@hearth/gateway/local-servers'
import { UsageError } from './options.ts'
import { startUntil, type Part } from './part.ts'

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
  const databaseUrl = givenDatabase || (await startPostgres(options))
  return { databaseUrl, natsUrl: givenNats || (await startNats(options)) }
}

async function startPostgres({ data, onStep, onStart }: SharedServicesOptions): Promise<string> {
  onStep('PostgreSQL: starting')
  const home = join(data, 'postgres')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  // As root, PostgreSQL runs as another user, who has to get to its folder.
  if (process.getuid?.() === 0) chmodSync(data, 0o711)
  const socket = mkdtempSync(join(tmpdir(), 'hearth-'))
  process.once('exit', () => rmSync(socket, { recursive: true, force: true }))
  const command = await preparePostgres({ home, socket }).catch((error: unknown) => {
    throw explain(error, home)
  })
  onStart(await startAfterTheLast(command))
  return createDatabase(socket, 'hearth')
}

/** The PostgreSQL of a launcher that was killed may need a moment to end. */
async function startAfterTheLast(command: ServerCommand, tries = 60): Promise<Part> {
  try {
    return await startServerPart('PostgreSQL', command, POSTGRES_READY)
  } catch (error) {
    if (tries === 0 || !String(error).includes('"postmaster.pid" already exists')) throw error
    await sleep(250)
    return startAfterTheLast(command, tries - 1)
  }
}

function explain(error: unknown, folder: string): unknown {
  const isDenied = error instanceof Error && /EACCES|Permission denied/i.test(error.message)
  if (!isDenied || process.getuid?.() !== 0) return error
  return new UsageError(
    `PostgreSQL does not run as root, and the user that it runs as instead cannot get to ${folder}. Choose a folder that everyone can get ` +
      `to, for example --data /var/lib/hearth, or start Hearth as another user`,
  )
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
