// A PostgreSQL of the operator's own: one that the machine has, from 15 on, or else the programs that Hearth brings along.

import { execFileSync, spawn } from 'node:child_process'
import { chownSync, globSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { freePort } from '@hearth/gateway/local-servers'
import { startPostgres } from '@hearth/gateway/testing'
import { removeFolder } from '../harness/remove-folder.ts'
import { watchOutput } from '../harness/processes/watch-output.ts'

export interface OwnPostgres extends AsyncDisposable {
  version: string
  /** Of an empty database. */
  url: string
}

export async function startOwnPostgres(): Promise<OwnPostgres> {
  const [bin] = globSync('/usr/lib/postgresql/{15,16,17,18}/bin').toSorted()
  return bin === undefined ? startEmbedded() : startInstalled(bin)
}

async function startInstalled(bin: string): Promise<OwnPostgres> {
  const port = await freePort()
  const user = accountOfServer()
  const data = mkdtempSync(join(tmpdir(), 'hearth-own-postgres-'))
  if (user !== undefined) chownSync(data, user.uid, user.gid)
  const options = { cwd: '/', ...user }
  const flags = ['--username=hearth', '--auth=trust', '--encoding=UTF8', '--no-locale', '--no-sync']
  execFileSync(join(bin, 'initdb'), ['-D', data, ...flags], { ...options, stdio: 'pipe' })
  const settings = ['-c', 'listen_addresses=127.0.0.1', '-c', 'unix_socket_directories=']
  const server = spawn(join(bin, 'postgres'), ['-D', data, '-p', String(port), ...settings], options)
  const { heard, exited } = watchOutput(server)
  await heard('ready to accept connections')
  return {
    version: execFileSync(join(bin, 'postgres'), ['--version'], { encoding: 'utf8' }).trim(),
    url: `postgres://hearth@127.0.0.1:${port}/postgres`,
    async [Symbol.asyncDispose]() {
      server.kill('SIGINT')
      await exited
      await removeFolder(data)
    },
  }
}

/** PostgreSQL rejects root. */
function accountOfServer(): { uid: number; gid: number } | undefined {
  if (process.getuid?.() !== 0) return undefined
  const idOf = (flag: string) => Number(execFileSync('id', [flag, 'postgres'], { encoding: 'utf8' }))
  return { uid: idOf('-u'), gid: idOf('-g') }
}

async function startEmbedded(): Promise<OwnPostgres> {
  const postgres = await startPostgres()
  const url = await postgres.createDatabase('nothing')
  return { version: "PostgreSQL 18, Hearth's own programs", url, [Symbol.asyncDispose]: () => postgres.stop() }
}
