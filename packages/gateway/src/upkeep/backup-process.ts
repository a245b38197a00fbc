// `hearth admin backup` in a process of its own.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'

const PROGRAM = fileURLToPath(new URL('../admin/main.ts', import.meta.url))

/** Ends with the signal. What it leaves then ends in `.unfinished`. */
export async function backUpInProcess(database: string, path: string, signal?: AbortSignal): Promise<void> {
  await promisify(execFile)(process.execPath, [PROGRAM, 'backup', path], {
    env: { ...process.env, DATABASE_URL: database },
    killSignal: 'SIGKILL',
    ...(signal && { signal }),
  }).catch((error: unknown) => {
    const { stderr = '', message } = error as Error & { stderr?: string }
    throw new Error(stderr.trim() || message, { cause: error })
  })
}
