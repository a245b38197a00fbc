// The `hearth` command as people run it, by its shim, in a process of its own.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { MARK } from '../../../scripts/test-place/end-with-this-process.ts'

const COMMAND = fileURLToPath(new URL('../../../packages/hearth/bin/hearth.cjs', import.meta.url))

export interface CommandResult {
  code: number
  out: string
  error: string
}

export interface CommandPlace {
  cwd: string
  /** Replaces all of ours, which may name a folder of Hearth. */
  environment: Record<string, string>
}

export function runHearth(words: readonly string[], { cwd, environment }: CommandPlace): Promise<CommandResult> {
  const { PATH, NODE_COMPILE_CACHE, [MARK]: mark } = process.env
  const env = { PATH, NODE_COMPILE_CACHE, [MARK]: mark, ...environment }
  return new Promise((resolve) => {
    const child = execFile(
      process.execPath,
      [COMMAND, ...words],
      { cwd, env, timeout: 150_000 },
      (_error, out, error) => resolve({ code: child.exitCode ?? -1, out, error }),
    )
  })
}
