// Runs pip, however it is installed on this machine.

import { CommandError, StorageError } from '@hearth/command-line/errors'
import type { RunCommand } from '../../system/run-command.ts'

const PIPS: readonly (readonly string[])[] = [
  ['python3', '-m', 'pip'],
  ['python', '-m', 'pip'],
  ['pip3'],
  ['pip'],
  ['py', '-m', 'pip'],
]

/** Returns what pip printed. Throws CommandError with pip's own reason if none of them succeeds. */
export async function runPip(
  args: readonly string[],
  what: string,
  run: RunCommand,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  let reason = 'pip is not installed on this machine'
  for (const [command = '', ...before] of PIPS) {
    const { code, stdout, stderr } = await run(command, [...before, ...args], { timeoutMs, signal })
    if (code === 0) return stdout
    if (code !== undefined && !/No module named pip/.test(stderr)) reason = stderr.trim().split('\n').at(-1) || reason
  }
  // No other source has more room.
  const Failure = /No space left/.test(reason) ? StorageError : CommandError
  throw new Failure(`Can't download the Python package ${what}: ${reason}`)
}
