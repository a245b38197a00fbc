// Builds the console as `npm start` does: if its sources are newer than the last build.

import { fileURLToPath } from 'node:url'
import { oneAtATime } from '@hearth/gateway/testing'
import {
  buildConsole as build,
  CONSOLE_FOLDER,
  isConsoleBuilt,
} from '../../../packages/hearth/src/start/build-console.ts'

const LOCK = fileURLToPath(new URL('../../../node_modules/.cache/hearth/console.lock', import.meta.url))

export const BUILT = `${CONSOLE_FOLDER}/dist`

export async function buildConsole(): Promise<void> {
  await oneAtATime(LOCK, async () => {
    if (!isConsoleBuilt()) await build()
  })
}
