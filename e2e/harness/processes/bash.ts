// Lines of bash.

import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'

const ROOT = fileURLToPath(new URL('../../..', import.meta.url))

/** Runs them in the repository's root, and rejects with the end of their output if one fails. */
export async function bash(lines: string, environment: Readonly<Record<string, string>> = {}): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<string>()
  const options = { cwd: ROOT, env: { ...process.env, ...environment }, maxBuffer: 2 ** 28 }
  execFile('bash', ['--norc', '-euo', 'pipefail', '-c', lines], options, (error, stdout, stderr) => {
    if (error === null) return resolve(stdout.trim())
    return reject(new Error(`${lines.trim()}\n${`${stdout}${stderr}`.split('\n').slice(-60).join('\n')}`))
  })
  return promise
}
