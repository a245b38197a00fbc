// Tests depend on nothing around them: each run gets an empty home, an empty folder for temporary files, and an environment of its own. Every
// process of the run inherits them.

import { chmodSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { testEnvironment } from './test-environment.ts'

/** Usual on most systems; tests say so where they want another one. */
const UMASK = 0o022

export function enterPlace(): void {
  process.umask(UMASK)
  const place = mkdtempSync(join(tmpdir(), 'hearth-'))
  // Some tests run PostgreSQL as another user, who has to get through.
  chmodSync(place, 0o755)
  const [home, temporary] = [join(place, 'home'), join(place, 'tmp')]
  for (const folder of [home, temporary]) mkdirSync(folder)
  const environment = testEnvironment(process.env, { home, temporary })
  for (const name of Object.keys(process.env)) if (!(name in environment)) delete process.env[name]
  Object.assign(process.env, environment)
  process.once('exit', () => rmSync(place, { recursive: true, force: true, maxRetries: 10 }))
}
