// PostgreSQL's own folder: its files, who owns them, and the programs that read them.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd, type ServerCommand } from '../../local-servers/server-command.ts'
import { runAs, type Account } from './account.ts'
import type { Programs } from './programs.ts'

export interface Cluster {
  data: string
  programs: Programs
  /** Undefined if this process may run PostgreSQL itself. */
  account: Account | undefined
}

export const DATABASE = 'hearth'
export const USER = 'postgres'

export function hasCluster(data: string): boolean {
  return existsSync(join(data, 'PG_VERSION'))
}

export function commandOf({ data, programs, account }: Cluster, name: string, args: readonly string[]): ServerCommand {
  const program = join(programs.bin, name)
  const command = { program, args: [...args], cwd: join(data, '..'), environment: { LC_ALL: 'C', TZ: 'UTC' } }
  return runAs(account, command, [data])
}

export function runProgram(cluster: Cluster, name: string, args: readonly string[], input?: string): Promise<void> {
  return runToEnd(commandOf(cluster, name, args), input)
}

export function checkVersion({ data, programs }: Cluster): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (found === programs.major) return
  throw new Error(
    `it was written by PostgreSQL ${found}; this version of Hearth has PostgreSQL ${programs.major}, which cannot read it. Start the version ` +
      `of Hearth that wrote it, or move the folder away to start with an empty database`,
  )
}
