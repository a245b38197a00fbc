// PostgreSQL's own folder: its files, who owns them, and the programs that read them.

import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { runToEnd, type ServerCommand } from '../../local-servers/server-command.ts'
import type { Account, Identity } from './account.ts'
import { giveTo } from './file-rights.ts'
import type { Programs } from './programs.ts'

export interface Cluster {
  data: string
  programs: Programs
  account: Account
}

export const DATABASE = 'hearth'
export const USER = 'postgres'

/** Rejects a folder with something else in it. */
export function hasCluster(data: string): boolean {
  if (existsSync(join(data, 'PG_VERSION'))) return true
  if (!existsSync(data) || readdirSync(data).length === 0) return false
  throw new Error(
    `${data} has no file PG_VERSION, so it is not a complete database. Restore it from a backup, or move it away to start with an empty database`,
  )
}

export function prepareServer(cluster: Cluster, args: readonly string[]): ServerCommand {
  return prepare(cluster, cluster.account.server, 'postgres', args)
}

export function runTool(cluster: Cluster, name: string, args: readonly string[], input?: string): Promise<void> {
  return runToEnd(prepare(cluster, cluster.account.tools, name, args), input)
}

function prepare(
  { data, programs }: Cluster,
  identity: Identity,
  name: string,
  args: readonly string[],
): ServerCommand {
  giveTo(data, identity.owner)
  const [program = '', ...others] = [...identity.prefix, join(programs.bin, name), ...args]
  const title = name === 'postgres' ? 'PostgreSQL' : `PostgreSQL's ${name}`
  return { program, args: others, name: title, cwd: join(data, '..'), environment: { LC_ALL: 'C', TZ: 'UTC' } }
}

export function checkVersion({ data, programs }: Cluster): void {
  const found = readFileSync(join(data, 'PG_VERSION'), 'utf8').trim()
  if (found === programs.major) return
  throw new Error(
    `it was written by PostgreSQL ${found}; this version of Hearth has PostgreSQL ${programs.major}, which cannot read it. Start the version ` +
      `of Hearth that wrote it, or move the folder away to start with an empty database`,
  )
}
