// Runs another program to completion and returns its output. For short queries to the system; it is passed in, so that tests can replace it.

import { execFile } from 'node:child_process'

export interface CommandResult {
  /** Undefined if the program is not installed. */
  code: number | undefined
  stdout: string
  stderr: string
}

export interface CommandOptions {
  timeoutMs: number
  signal?: AbortSignal
}

export type RunCommand = (command: string, args: readonly string[], options: CommandOptions) => Promise<CommandResult>

const MAX_OUTPUT_BYTES = 4 * 1024 * 1024

/** Rejects only if the signal is aborted. A program that takes too long counts as failed. */
export const runCommand: RunCommand = (command, args, { timeoutMs, signal }) => {
  const { promise, resolve, reject } = Promise.withResolvers<CommandResult>()
  const options = {
    timeout: timeoutMs,
    maxBuffer: MAX_OUTPUT_BYTES,
    windowsHide: true,
    // On Windows, programs that are scripts (npm, pip) only start through the shell. None of our arguments come from outside.
    shell: process.platform === 'win32',
    ...(signal === undefined ? {} : { signal }),
  }
  execFile(command, [...args], options, (error, stdout, stderr) => {
    if (signal?.aborted === true) return reject(signal.reason as Error)
    if (error === null) return resolve({ code: 0, stdout, stderr })
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT'
    const code = typeof error.code === 'number' ? error.code : 1
    return resolve({ code: isMissing ? undefined : code, stdout, stderr })
  })
  return promise
}
