// Starts a server that is not written in JavaScript.

import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'

export interface ServerCommand {
  program: string
  args: readonly string[]
  cwd: string
  environment?: Record<string, string>
  /** For messages, if it is not the program's own. */
  name?: string
  /** In a session of its own, which Ctrl-C does not reach. */
  detached?: boolean
}

const START_MS = 60_000
const KEPT_CHARACTERS = 4_000

/** A program ended before it was ready, or with an error. */
export class ProgramFailed extends Error {
  override name = 'ProgramFailed'
  /** The end of what it wrote: most programs give their reasons nowhere else. */
  readonly log: string

  constructor(message: string, log: string) {
    super(`${message}: ${log}`)
    this.log = log
  }
}

/** Resolves when the server's log says that it is ready, and rejects with the end of the log if it stops before. */
export async function startServer(command: ServerCommand, ready: string): Promise<ChildProcess> {
  const child = spawnServer(command)
  const log = collectLog(child)
  const isReady = Promise.withResolvers<void>()
  child.stderr?.on('data', () => log().includes(ready) && isReady.resolve())
  child.once('close', () => isReady.reject(new ProgramFailed(`${nameOf(command)} did not start`, log())))
  const deadline = setTimeout(() => child.kill('SIGKILL'), START_MS)
  await isReady.promise.finally(() => clearTimeout(deadline))
  return child
}

/** Runs a command to its end, and gives it this input. */
export async function runToEnd(command: ServerCommand, input = ''): Promise<void> {
  const child = spawnServer(command, 'pipe')
  // If the command ends without reading its input, its exit code says why.
  child.stdin?.on('error', () => undefined)
  child.stdin?.end(input)
  const log = collectLog(child)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) throw new ProgramFailed(`${nameOf(command)} failed`, log())
}

function nameOf({ name, program }: ServerCommand): string {
  return name ?? basename(program)
}

/** The log is on the standard error. */
export function spawnServer(
  { program, args, cwd, environment, detached = false }: ServerCommand,
  input: 'ignore' | 'pipe' = 'ignore',
): ChildProcess {
  const env = { ...process.env, ...environment }
  return spawn(program, args, { cwd, env, detached, stdio: [input, 'ignore', 'pipe'] })
}

function collectLog(child: ChildProcess): () => string {
  let text = ''
  child.once('error', (error) => (text += error.message))
  child.stderr?.on('data', (data: Buffer) => (text = (text + data.toString()).slice(-KEPT_CHARACTERS)))
  return () => text.trim()
}
