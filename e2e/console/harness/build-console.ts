// Builds the console if its sources are newer than the last build.

import { execFile } from 'node:child_process'
import { existsSync, globSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { oneAtATime } from '@hearth/gateway/testing'
import { DEADLINE_MS } from '../../harness/deadline.ts'

const FOLDER = fileURLToPath(new URL('../../../packages/console', import.meta.url))
const VITE = fileURLToPath(new URL('../../../node_modules/vite/bin/vite.js', import.meta.url))
const LOCK = fileURLToPath(new URL('../../../node_modules/.cache/hearth/console.lock', import.meta.url))

export const BUILT = `${FOLDER}/dist`

export async function buildConsole(): Promise<void> {
  await oneAtATime(LOCK, async () => {
    if (isOld()) await build()
  })
}

async function build(): Promise<void> {
  // The test runner has an environment of its own, in which libraries would be built as for development.
  const env = { ...process.env, NODE_ENV: 'production' }
  await promisify(execFile)(process.execPath, [VITE, 'build'], { cwd: FOLDER, timeout: DEADLINE_MS, env })
}

function isOld(): boolean {
  const page = `${BUILT}/index.html`
  if (!existsSync(page)) return true
  const builtAt = statSync(page).mtimeMs
  const sources = globSync(['src/**/*', 'public/*', '*.{html,json,ts}', '../../docs/**/*.md'], { cwd: FOLDER })
  return sources.some((file) => statSync(`${FOLDER}/${file}`).mtimeMs > builtAt)
}
