// A real server, as the contract drives it.

import { descendantsOf } from '../../harness/processes/process-tree.ts'
import { startCommand, type Program } from '../../harness/processes/program.ts'

export interface Driver {
  /** `npm run servers -- ollama` runs it. */
  name: string
  /** As people write it. */
  title: string
  version: string
  /** Whether it can ask for a key. */
  takesKey: boolean
  /** Makes it ready to start; takes minutes or longer when it is done first. */
  install: () => Promise<void>
  start: (options: StartOptions) => Promise<RunningServer>
  /** Why the server itself can't, by the case's field. */
  limits?: Readonly<Record<string, string>>
}

export interface StartOptions {
  port: number
  slots: number
  contextLength: number
  key?: string
  /** A folder for what it keeps. */
  folder: string
}

export interface RunningServer {
  /** Without a path. */
  url: string
  /** Its name for the tiny model. */
  model: string
  program: Program
  models?: ModelShelf
}

/** For servers whose models come and go while they run. */
export interface ModelShelf {
  add: (name: string) => Promise<void>
  remove: (name: string) => Promise<void>
}

const START_MS = 600_000
const LOOK_AGAIN_MS = 250

/** Resolves when it lists its models. */
export async function startServer(
  command: readonly [string, ...string[]],
  url: string,
  { key, environment = {} }: { key?: string | undefined; environment?: Readonly<Record<string, string>> },
): Promise<Program> {
  const program = startCommand(command, { ...environment, OMP_NUM_THREADS: '1', DO_NOT_TRACK: '1' })
  const deadline = performance.now() + START_MS
  const headers = key === undefined ? {} : { authorization: `Bearer ${key}` }
  for (;;) {
    const isUp = await fetch(`${url}/v1/models`, { headers }).then(
      ({ ok }) => ok,
      () => false,
    )
    if (isUp) return program
    if (!program.isAlive() || performance.now() > deadline)
      throw new Error(`${command[0]} did not start:\n${program.output().slice(-4_000)}`)
    await new Promise((resolve) => setTimeout(resolve, LOOK_AGAIN_MS))
  }
}

/** With the processes that it started, which would go on without it. */
export async function kill({ program }: RunningServer): Promise<void> {
  const others = await descendantsOf(program.pid)
  program.signal('SIGKILL')
  for (const { pid } of others) {
    try {
      process.kill(pid, 'SIGKILL')
    } catch {
      // It has ended with its parent.
    }
  }
  await program.exited
}
