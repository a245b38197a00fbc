import { spawnSync } from 'node:child_process'
import { chmodSync, mkdirSync, readdirSync, readFileSync, realpathSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { scratchFolder } from '@hearth/command-line/testing/scratch-folder'
import { beforeEach, expect, it } from 'vitest'

const ROOT = fileURLToPath(new URL('../..', import.meta.url))
/** As a URL, because NODE_OPTIONS ends a path at a space. */
const REPORT = new URL('report-cache.mjs', import.meta.url).href
const PROGRAMS = {
  hearth: ['packages/hearth/src/main.ts', '--help'],
  'hearth-device': ['packages/device/src/main.ts', '--help'],
  'hearth-seal': ['packages/seal/src/main.ts', '--help'],
  'hearth admin': ['packages/gateway/src/admin/main.ts', '--help'],
  'the gateway': ['packages/gateway/src/main.ts', '--help'],
  // A file is no folder for a database, so it ends at once.
  'the embedded database': ['packages/gateway/src/store/embedded/main.ts', import.meta.filename, '--for-parent'],
  'the installer': ['packages/device/src/install/main.ts', '--help'],
}

let home: string
let shared: string

beforeEach(() => {
  home = realpathSync(scratchFolder())
  // Every account may write there, as in /tmp.
  shared = join(home, 'shared')
  mkdirSync(shared)
  chmodSync(shared, 0o1777)
})

/** Where the program and all that it started kept what Node compiled. */
function cacheOf(words: readonly string[], environment: Record<string, string> = {}): string[] {
  const file = join(home, 'report')
  const env = {
    PATH: process.env['PATH'],
    HOME: home,
    TMPDIR: shared,
    NODE_OPTIONS: `--import=${REPORT}`,
    REPORT_FILE: file,
    ...environment,
  }
  spawnSync(process.execPath, words, { cwd: ROOT, env })
  return readFileSync(file, 'utf8').trim().split('\n')
}

it.for(Object.entries(PROGRAMS))(
  '%s runs nothing from a compile cache that another account could plant',
  ([, words]) => {
    for (const folder of cacheOf(words)) expect(folder).toContain(join(home, '.cache', 'hearth', 'compiled'))
    expect(readdirSync(shared)).toEqual([])
  },
)

it('keeps no compile cache where another account could replace the folder', () => {
  chmodSync(shared, 0o777)

  expect(cacheOf(PROGRAMS.hearth, { XDG_CACHE_HOME: join(shared, 'cache') })).toEqual(['none'])
})

it('leaves a compile cache where the user wants it', () => {
  const [folder] = cacheOf(PROGRAMS.hearth, { NODE_COMPILE_CACHE: join(home, 'mine') })

  expect(folder).toContain(join(home, 'mine'))
})
