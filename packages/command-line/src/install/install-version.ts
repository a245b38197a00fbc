// Installs a program from the gateway next to the existing version: downloads it, verifies the checksum, unpacks it, installs its
// dependencies with npm and runs a test. A version that fails any step is never used.

import { spawn } from 'node:child_process'
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { text } from '@hearth/sealing/fields'
import { CommandError, StorageError } from '../errors.ts'
import { readObjectFile } from '../files/read-object-file.ts'
import { writeAtomic } from '../files/write-atomic.ts'
import { formatBytes } from '../format.ts'
import { findStops } from '../machine/find-stops.ts'
import { howItEnded, isSuccess, readToEnd } from '../processes/child-end.ts'
import type { Screen } from '../terminal/screen.ts'
import { HASH_FILE, runFile, writeRunFile, type AppFolder } from './app-folder.ts'
import { versionName, type AppNotice } from './app-notice.ts'
import { fetchArchive, type Get } from './fetch-app.ts'
import type { Program } from './program.ts'
import { unpack } from './unpack.ts'
import { installPackages } from './install-packages.ts'
import { watchFolder } from './watch-folder.ts'
import { pinnedNode } from './pinned-node.ts'

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
  const { end, said } = await readToEnd(child)
  if (isSuccess(end)) return
  const printed = said.trim().split('\n')
  const why = printed.find((line) => line.startsWith('✗')) ?? (printed.at(-1) || howItEnded(end))
  throw new CommandError(
    `The ${program.title} doesn't work on this machine, so it was not installed: ${why.replace(/^✗ /, '')}`,
  )
}

function quoted(path: string): string {
  return process.platform === 'win32' ? `"${path}"` : path
}

function isFull(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === 'ENOSPC'
}
