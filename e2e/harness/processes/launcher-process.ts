// `npm start` in its own process.

import { startProgram, type Program } from './program.ts'

export interface LauncherProcess extends Program, AsyncDisposable {}

/** `root` is the folder of a checkout. */
export function startLauncher(
  flags: readonly string[],
  environment: Record<string, string> = {},
  root?: string,
): LauncherProcess {
  const options = { environment: { HEARTH_INSTALL: 'off', ...environment }, ...(root !== undefined && { root }) }
  const program = startProgram('packages/hearth/src/main.ts', ['start', ...flags], options)
  return {
    ...program,
    async [Symbol.asyncDispose]() {
      program.signal('SIGTERM')
      await program.exited
    },
  }
}
