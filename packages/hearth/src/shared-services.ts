// What several gateways share: PostgreSQL and NATS. Those that the environment names, or else ones that run on this machine.

import { randomBytes } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openStore } from '@hearth/gateway'
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
import type { LaunchContext } from './launch-context.ts'
import { UsageError } from './options.ts'
import { Part } from './supervise/part.ts'
import { startProcess } from './supervise/part-process.ts'

const SERVER_MAIN = fileURLToPath(new URL('server-main.ts', import.meta.url))

export interface SharedServices {
  databaseUrl: string
  natsUrl: string
}

type Environment = Readonly<Record<string, string | undefined>>

export async function startSharedServices(
  data: string,
  { DATABASE_URL: givenDatabase, NATS_URL: givenNats }: Environment,
  context: LaunchContext,
): Promise<SharedServices> {
  const databaseUrl = givenDatabase || (await startPostgres(data, context))
  return { databaseUrl, natsUrl: givenNats || (await startNats(data, context)) }
}

async function startPostgres(data: string, context: LaunchContext): Promise<string> {
  context.screen.step('PostgreSQL: starting')
  const home = join(data, 'postgres')
  mkdirSync(home, { recursive: true, mode: 0o700 })
  // As root, PostgreSQL runs as another user, who has to get to its folder.
  if (process.getuid?.() === 0) chmodSync(data, 0o711)
  const socket = mkdtempSync(join(tmpdir(), 'hearth-'))
  process.once('exit', () => rmSync(socket, { recursive: true, force: true }))
  const command = await preparePostgres({ home, socket }).catch((error: unknown) => {
    throw explain(error, home)
  })
  await startAfterTheLast(command, context)
  const url = await createDatabase(socket, 'hearth')
  await forgetGateways(url)
  return url
}

/** The PostgreSQL of a launcher that was killed may need a moment to end. */
async function startAfterTheLast(command: ServerCommand, context: LaunchContext, tries = 60): Promise<void> {
  try {
    await startServer('PostgreSQL', command, POSTGRES_READY, context)
  } catch (error) {
    if (tries === 0 || !String(error).includes('"postmaster.pid" already exists')) throw error
    await sleep(250)
    await startAfterTheLast(command, context, tries - 1)
  }
}

/** Gateways that were killed count as members for minutes, as they might go on out of sight. Ours ended with their PostgreSQL. */
async function forgetGateways(databaseUrl: string): Promise<void> {
  const store = await openStore(databaseUrl)
  await store.forgetReplicas()
  await store.close()
}

function explain(error: unknown, folder: string): unknown {
  const isDenied = error instanceof Error && /EACCES|Permission denied/i.test(error.message)
  if (!isDenied || process.getuid?.() !== 0) return error
  return new UsageError(
    `PostgreSQL does not run as root, and the user that it runs as instead cannot get to ${folder}. Choose a folder that everyone can get ` +
      `to, for example --data /var/lib/hearth, or start Hearth as another user`,
  )
}

async function startNats(data: string, context: LaunchContext): Promise<string> {
  context.screen.step('NATS: starting (downloaded once, unless nats-server is installed)')
  const folder = join(data, 'nats')
  mkdirSync(folder, { recursive: true, mode: 0o700 })
  // Other users of this machine can reach the port.
  const access = { port: await freePort(), user: 'hearth', password: randomBytes(24).toString('hex') }
  await startServer('NATS', await prepareNats({ folder, ...access }), NATS_READY, context)
  return natsUrl(access)
}

/** Each of its processes runs the same command, so gateways find it where it was. */
function startServer(
  name: string,
  command: ServerCommand,
  ready: string,
  { parts, screen }: LaunchContext,
): Promise<void> {
  const tell = (text: string) => screen.step(text)
  const args = [JSON.stringify(command)]
  return parts.start(
    new Part({ name, ready, tell, launch: (onLine) => startProcess({ file: SERVER_MAIN, args, onLine }) }),
  )
}
