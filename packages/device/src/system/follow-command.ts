// Runs a program that takes minutes, and passes on each line that it prints. It comes after everything else on the machine, and ends with
// all the programs that it started when the signal is aborted.

import { spawn } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { signalGroup } from '@hearth/command-line/processes/signal-group'

export interface FollowCommandOptions {
  environment: Readonly<Record<string, string | undefined>>
  onLine: (line: string) => void
  signal: AbortSignal
}

/** Resolves with its exit code; undefined if it can't be started. Rejects only if the signal is aborted. */
export type FollowCommand = (
  command: string,
  args: readonly string[],
  options: FollowCommandOptions,
) => Promise<number | undefined>

export const followCommand: FollowCommand = async (command, args, { environment, onLine, signal }) => {
  signal.throwIfAborted()
  const { promise, resolve } = Promise.withResolvers<number | undefined>()
  // A group of its own, so that compilers end with the build tool that started them.
  const child = spawn(command, [...args], { env: environment, stdio: ['ignore', 'pipe', 'pipe'], detached: true })
  child.once('error', () => resolve(undefined))
  child.once('close', (code) => resolve(code ?? 1))
  for (const output of [child.stdout, child.stderr]) passOn(output, onLine)
  const { pid } = child
  if (pid === undefined) return promise
  yieldTo(pid)
  const end = (): void => signalGroup(pid, 'SIGTERM')
  signal.addEventListener('abort', end, { once: true })
  try {
    const code = await promise
    signal.throwIfAborted()
    return code
  } finally {
    signal.removeEventListener('abort', end)
  }
}

function passOn(output: Readable, onLine: (line: string) => void): void {
  createInterface({ input: output, crlfDelay: Infinity }).on('line', onLine)
}

function yieldTo(pid: number): void {
  try {
    setPriority(pid, constants.priority.PRIORITY_LOW)
  } catch {
    // It has ended already, or a container forbids it.
  }
}
