// Builds the console on this machine, once and again when its sources change.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export const CONSOLE_FOLDER = dirname(createRequire(import.meta.url).resolve('@hearth/console/package.json'))

export function isConsoleBuilt(): boolean {
  const built = join(CONSOLE_FOLDER, 'dist/index.html')
  // Help shows the docs.
  const sources = Math.max(newest(join(CONSOLE_FOLDER, 'src')), newest(join(CONSOLE_FOLDER, '../../docs')))
  return existsSync(built) && statSync(built).mtimeMs >= sources
}

export async function buildConsole(): Promise<void> {
  const vite = join(
    dirname(createRequire(join(CONSOLE_FOLDER, 'package.json')).resolve('vite/package.json')),
    'bin/vite.js',
  )
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: CONSOLE_FOLDER,
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0)
    throw new Error(
      'Cannot build the console. Run "npm ci" again. If that does not help, see the errors of: npm run console',
    )
}

function newest(path: string): number {
  const times = readdirSync(path, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => statSync(join(entry.parentPath, entry.name)).mtimeMs)
  return Math.max(0, ...times)
}
