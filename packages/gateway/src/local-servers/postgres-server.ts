// A PostgreSQL for this machine alone: it listens on a socket in a private folder, so it takes no port and needs no password.

import { existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { Client } from 'pg'
import { findPostgres, giveTo, unprivilegedAccount } from './find-postgres.ts'
import { runToEnd, type ServerCommand } from './server-command.ts'

export interface PostgresFolders {
  /** Holds the programs and the data. */
  home: string
  /** Holds the socket. Its path must be short: the system allows about 100 characters. */
  socket: string
  /** By name, as in postgresql.conf. */
  settings?: Record<string, string>
}

export const POSTGRES_READY = 'ready to accept connections'
const INITDB_FLAGS = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']

/** Creates the data folder at the first call, and returns the command that runs the server. */
export async function preparePostgres({ home, socket, settings = {} }: PostgresFolders): Promise<ServerCommand> {
  const programs = findPostgres(home)
  const data = join(home, 'data')
  mkdirSync(data, { recursive: true, mode: 0o700 })
  const account = unprivilegedAccount()
  if (account) for (const folder of [home, socket]) giveTo(folder, account)
  const base = { cwd: home, environment: { LC_ALL: 'C' }, ...(account && { account }) }
  if (!existsSync(join(data, 'PG_VERSION')))
    await runToEnd({ ...base, program: join(programs, 'initdb'), args: ['-D', data, ...INITDB_FLAGS] })
  const all = { unix_socket_directories: socket, listen_addresses: '', ...settings }
  const flags = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  return { ...base, program: join(programs, 'postgres'), args: ['-D', data, ...flags] }
}

/** Returns the URL of the database. Does nothing else if it exists. */
export async function createDatabase(socket: string, name: string): Promise<string> {
  const client = new Client({ connectionString: databaseUrl(socket, 'postgres') })
  await client.connect()
  try {
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name])
    if (rowCount === 0) await client.query(`create database ${name}`)
  } finally {
    await client.end()
  }
  return databaseUrl(socket, name)
}

function databaseUrl(socket: string, database: string): string {
  return `postgres://postgres@localhost/${database}?host=${encodeURIComponent(socket)}`
}
