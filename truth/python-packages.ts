// Runs a Python script with packages from pip, in a virtual environment that is made once.

import { execFile, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { json } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { CACHE } from './python-source.ts'

const run = promisify(execFile)

/** Passes `input` to the script as JSON, and returns the JSON that it prints. */
export async function runPython(packages: readonly string[], script: URL, input: unknown): Promise<unknown> {
  const folder = join(CACHE, `venv-${packages.join('-').replaceAll(/[^\w.-]+/g, '-')}`)
  if (!existsSync(join(folder, 'ready'))) await install(packages, folder)
  const python = spawn(join(folder, 'bin', 'python'), [fileURLToPath(script)], { stdio: ['pipe', 'pipe', 'inherit'] })
  python.stdin.end(JSON.stringify(input))
  return json(python.stdout)
}

async function install(packages: readonly string[], folder: string): Promise<void> {
  await run('python3', ['-m', 'venv', folder])
  if (packages.length > 0) await run(join(folder, 'bin', 'pip'), ['install', '--quiet', ...packages])
  await run('touch', [join(folder, 'ready')])
}
