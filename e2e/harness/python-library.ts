// One folder per version of a Python library, created once and kept between runs beside the installed packages.

import { execFile } from 'node:child_process'
import { access, mkdir, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { oneAtATime } from '@hearth/gateway/testing'

const run = promisify(execFile)
const CACHE = fileURLToPath(new URL('../../node_modules/.cache/hearth/', import.meta.url))
const INSTALL_MS = 240_000
const RUN_MS = 120_000

export interface PythonLibrary {
  name: string
  version: string
}

/** Why this library cannot run on this machine; undefined if it can. */
export async function missingPython(library: PythonLibrary): Promise<string | undefined> {
  try {
    await run('python3', ['-c', 'import sys, venv, ensurepip; assert sys.version_info >= (3, 9)'])
  } catch {
    return 'python3 (3.9 or newer, with venv) is not installed'
  }
  return preparePython(library).then(
    () => undefined,
    () => `pip can't fetch ${library.name} ${library.version}`,
  )
}

/** A folder with exactly this version of the library and its dependencies. */
export async function preparePython({ name, version }: PythonLibrary): Promise<string> {
  const folder = join(CACHE, `${name}-python-${version}`)
  await oneAtATime(join(CACHE, 'python.lock'), async () => {
    if (!(await exists(join(folder, 'ready')))) await install(`${name}==${version}`, folder)
  })
  return folder
}

async function install(requirement: string, folder: string): Promise<void> {
  await rm(folder, { recursive: true, force: true })
  const pip = await prepareInstaller()
  const flags = ['--quiet', '--no-compile', '--disable-pip-version-check', '--target', folder]
  await run(pip, ['install', ...flags, requirement], { timeout: INSTALL_MS })
  await writeFile(join(folder, 'ready'), '')
}

/** The system's Python may have no pip, and must not be changed anyway. */
async function prepareInstaller(): Promise<string> {
  const folder = join(CACHE, 'python')
  const pip = join(folder, 'bin', 'pip')
  if (await exists(pip)) return pip
  await rm(folder, { recursive: true, force: true })
  await mkdir(CACHE, { recursive: true })
  await run('python3', ['-m', 'venv', folder], { timeout: INSTALL_MS })
  return pip
}

/** The JSON that the script printed. `folder` has its library. */
export async function runPython(folder: string, script: URL, environment: Record<string, string>): Promise<unknown> {
  const { stdout } = await run('python3', [fileURLToPath(script)], {
    env: { ...process.env, ...environment, PYTHONPATH: folder },
    timeout: RUN_MS,
  })
  return JSON.parse(stdout)
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  )
}
