// A nats-server for this machine alone.

import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNatsServer } from './find-nats-server.ts'
import type { ServerCommand } from './server-command.ts'

export interface NatsServerOptions {
  /** Holds the configuration file. */
  folder: string
  port: number
  user?: string | undefined
  password?: string | undefined
  /** More lines of the configuration file. */
  configuration?: string
}

export const NATS_READY = 'Server is ready'

/** Writes the configuration, and returns the command that runs the server. */
export async function prepareNats({
  folder,
  port,
  user,
  password,
  configuration = '',
}: NatsServerOptions): Promise<ServerCommand> {
  const file = join(folder, 'nats.conf')
  const authorization = user === undefined ? '' : `authorization { user: "${user}", password: "${password}" }`
  const name = `server_name: "${nameIn(folder)}"`
  writeFileSync(file, `listen: "127.0.0.1:${port}"\n${name}\n${authorization}\n${configuration}\n`, { mode: 0o600 })
  return { program: await findNatsServer(), args: ['--config', file], cwd: folder }
}

/** The same at every start. Only one server runs in a folder at a time, so gateways know by the name that the one before it is dead. */
function nameIn(folder: string): string {
  const file = join(folder, 'server-name')
  if (!existsSync(file)) writeFileSync(file, `hearth-${randomUUID()}`)
  return readFileSync(file, 'utf8')
}

export function natsUrl({ port, user, password }: Omit<NatsServerOptions, 'folder'>): string {
  return `nats://${user === undefined ? '' : `${user}:${password}@`}127.0.0.1:${port}`
}
