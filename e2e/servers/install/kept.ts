// Where the real servers are kept between runs, each version in a folder of its own.

import { existsSync } from 'node:fs'
import { mkdir, rm, writeFile } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import { oneAtATime } from '@hearth/gateway/testing'
import { bash } from '../../harness/processes/bash.ts'

const KEPT = process.env['HEARTH_SERVERS'] ?? join(homedir(), '.cache', 'hearth-servers')

/** The path of something that takes long to make. `lines` of bash make it in the folder `$here`, where a build that broke off left nothing. */
export async function keep(
  name: string,
  lines: string,
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const here = join(KEPT, name)
  const ready = join(here, 'ready')
  await mkdir(dirname(here), { recursive: true })
  await oneAtATime(`${here}.lock`, async () => {
    if (existsSync(ready)) return
    await rm(here, { recursive: true, force: true })
    await mkdir(here)
    await bash(lines, { ...environment, here })
    await writeFile(ready, '')
  })
  return here
}
