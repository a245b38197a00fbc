// A nats-server for this machine alone.

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { findNatsServer } from './find-nats-server.ts'
import type { ServerCommand } from './server-command.ts'

export interface NatsOptions {
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
}: NatsOptions): Promise<ServerCommand> {
  const file = join(folder, 'nats.conf')
  const authorization = user === undefined ? '' : `authorization { user: "${user}", password: "${password}" }`
  writeFileSync(file, `listen: "127.0.0.1:${port}"\n${authorization}\n${configuration}\n`, { mode: 0o600 })
  return { program: await findNatsServer(), args: ['--config', file], cwd: folder }
}

export function natsUrl({ port, user, password }: Omit<NatsOptions, 'folder'>): string {
  return `nats://${user === undefined ? '' : `${user}:${password}@`}127.0.0.1:${port}`
}
