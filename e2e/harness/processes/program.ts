// Programs, in processes of their own that end with this one.

import { spawn, type ChildProcess } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { watchOutput, type WatchedOutput } from './watch-output.ts'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

export interface Program extends WatchedOutput {
  pid: number
  isAlive: () => boolean
  signal: (name: NodeJS.Signals) => void
}

export interface ProgramOptions {
  /** Added to the environment variables of this process. */
  environment?: Readonly<Record<string, string>>
  /** For Node itself. */
  flags?: readonly string[]
  /** Another checkout of this repository. */
  root?: string
}

const running = new Set<ChildProcess>()
process.on('exit', () => running.forEach((child) => child.kill('SIGKILL')))

/** One of this repository. `main` is a path in the checkout. */
export function startProgram(
  main: string,
  words: readonly string[],
  { environment = {}, flags = [], root = ROOT }: ProgramOptions = {},
): Program {
  return startCommand([process.execPath, ...flags, join(root, main), ...words], environment)
}

/** Any other, in this folder. */
export function startCommand(
  [command, ...words]: readonly [string, ...string[]],
  environment: Readonly<Record<string, string>>,
  folder?: string,
): Program {
  const child = spawn(command, words, {
    env: { ...process.env, ...environment },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(folder !== undefined && { cwd: folder }),
  })
  running.add(child)
  child.once('close', () => running.delete(child))
  return {
    ...watchOutput(child),
    pid: child.pid!,
    isAlive: () => child.exitCode === null && child.signalCode === null,
    signal: (name) => void child.kill(name),
  }
}

/** Resolves with what it printed; rejects if it fails. */
export async function runProgram(main: string, words: readonly string[], options: ProgramOptions): Promise<string> {
  const { output, exited } = startProgram(main, words, options)
  const code = await exited
  if (code !== 0) throw new Error(`${main} ${words[0]} ended with ${code}: ${output()}`)
  return output()
}
