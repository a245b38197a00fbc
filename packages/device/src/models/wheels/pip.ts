// Runs pip and Python, however they are installed on this machine.

import { CommandError, StorageError } from '@hearth/command-line/errors'
import type { RunCommand } from '../../system/run-command.ts'

type Programs = readonly (readonly [string, ...string[]])[]

const PYTHONS: Programs = [['python3'], ['python'], ['py']]
const PIPS: Programs = [['python3', '-m', 'pip'], ['python', '-m', 'pip'], ['pip3'], ['pip'], ['py', '-m', 'pip']]
const QUIETLY = ['--no-deps', '--only-binary=:all:', '--no-input', '--disable-pip-version-check', '--quiet']
const UNPACK_MS = 10 * 60_000

/** Does this with the package that is named last. Returns what pip printed. Throws CommandError with pip's own reason if none of them succeeds. */
export function runPip(
  verb: string,
  args: readonly string[],
  run: RunCommand,
  timeoutMs: number,
  signal: AbortSignal,
): Promise<string> {
  const failure = `Can't download the Python package ${args.at(-1)}: `
  return runFirst(PIPS, [verb, ...QUIETLY, ...args], run, { timeoutMs, signal }, failure)
}

/** Where pip is, there is Python too, which knows the format. */
export async function unpackWheel(archive: string, folder: string, run: RunCommand, signal: AbortSignal) {
  const args = ['-m', 'zipfile', '-e', archive, folder]
  await runFirst(PYTHONS, args, run, { timeoutMs: UNPACK_MS, signal }, `Can't unpack ${archive}: `)
}

async function runFirst(
  programs: Programs,
  args: readonly string[],
  run: RunCommand,
  options: Parameters<RunCommand>[2],
  failure: string,
): Promise<string> {
  let reason = `${programs === PIPS ? 'pip' : 'Python'} is not installed on this machine`
  for (const [command, ...before] of programs) {
    const { code, stdout, stderr } = await run(command, [...before, ...args], options)
    if (code === 0) return stdout
    if (code !== undefined && !/No module named pip/.test(stderr)) reason = stderr.trim().split('\n').at(-1) || reason
  }
  // No other source has more room.
  throw new (/No space left/.test(reason) ? StorageError : CommandError)(`${failure}${reason}`)
}
