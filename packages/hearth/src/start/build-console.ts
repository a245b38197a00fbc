// Builds the console on this machine, once and again when its sources change.

import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, statSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'

export const CONSOLE_FOLDER = dirname(createRequire(import.meta.url).resolve('@hearth/console/package.json'))

/** Help shows the pages of docs/. */
const SOURCES = ['src/**/*', 'public/*', '*.{html,json,ts}', '../../docs/**/*.md']

export function isConsoleBuilt(): boolean {
  const built = join(CONSOLE_FOLDER, 'dist/index.html')
  if (!existsSync(built)) return false
  const { mtimeMs } = statSync(built)
  return globSync(SOURCES, { cwd: CONSOLE_FOLDER }).every(
    (path) => statSync(join(CONSOLE_FOLDER, path)).mtimeMs <= mtimeMs,
  )
}

export async function buildConsole(): Promise<void> {
  const vite = join(
    dirname(createRequire(join(CONSOLE_FOLDER, 'package.json')).resolve('vite/package.json')),
    'bin/vite.js',
  )
  const child = spawn(process.execPath, [vite, 'build', '--logLevel', 'error'], {
    cwd: CONSOLE_FOLDER,
    // The caller's own NODE_ENV may say otherwise, and React would then be built for development.
    env: { ...process.env, NODE_ENV: 'production' },
    stdio: ['ignore', 'ignore', 'inherit'],
  })
  const [code] = (await once(child, 'exit')) as [number | null]
  if (code !== 0)
    throw new Error(
      'Cannot build the console. Run "npm ci" again. If that does not help, see the errors of: npm run console',
    )
}
