// Keeps the server of a data folder running: takes the folder's lock, makes the cluster on the first start, runs PostgreSQL and announces it.

import { accessSync, constants, existsSync, mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { takeFileLock, type FileLock } from '../../locks/file-lock.ts'
import { chooseAccount } from './account.ts'
import { checkVersion, hasCluster, type Cluster } from './cluster.ts'
import { announceServer, findServer, readServerNote, withdrawServer, type ServerNote } from './find-server.ts'
import { folderLayout, type FolderLayout } from './folder-layout.ts'
import { checkFolder, noteVersion } from './folder-version.ts'
import { endLeftover } from './leftover-server.ts'
import { makeCluster, secureCluster } from './make-cluster.ts'
import { choosePrivateAddress } from './private-address.ts'
import { findPrograms } from './programs.ts'
import { runPostgres } from './run-postgres.ts'

export interface KeepOptions {
  folder: string
  /** Aborted when the server has to stop. */
  signal: AbortSignal
  onReady: () => void
  /** Something that a person should know. */
  onNotice: (text: string) => void
}

export type KeepResult = 'stopped' | 'served-elsewhere'

/** A process that holds the lock without responding is starting or stopping. */
const OTHER_PROCESS_MS = 120_000
const LOOK_AGAIN_MS = 50

/** Resolves when the signal stops it, or if another process serves the folder. Rejects if the server cannot start, or ends unasked. */
export async function keepServer(options: KeepOptions): Promise<KeepResult> {
  const layout = folderLayout(options.folder)
  mkdirSync(layout.root, { recursive: true, mode: 0o700 })
  accessSync(layout.root, constants.R_OK | constants.W_OK | constants.X_OK)
  const place = await lockOrFind(layout, options.signal)
  if ('host' in place) return 'served-elsewhere'
  try {
    if (!options.signal.aborted) await serve(layout, options)
    return 'stopped'
  } finally {
    place.release()
  }
}

async function lockOrFind(layout: FolderLayout, signal: AbortSignal): Promise<FileLock | ServerNote> {
  const until = performance.now() + OTHER_PROCESS_MS
  while (performance.now() < until && !signal.aborted) {
    const found = takeFileLock(layout.lock) ?? (await findServer(layout))
    if (found) return found
    await sleep(LOOK_AGAIN_MS)
  }
  throw new Error(
    `process ${readServerNote(layout)?.pid ?? 'of unknown id'} has it open and does not respond. Stop that process, then start again`,
  )
}

async function serve(layout: FolderLayout, { signal, onReady, onNotice }: KeepOptions): Promise<void> {
  const cluster = await openCluster(layout, onNotice)
  const address = await choosePrivateAddress(layout, cluster.account.server.owner)
  try {
    const server = await runPostgres(cluster, address.settings)
    announceServer(layout, { pid: process.pid, host: address.host, port: address.port })
    onReady()
    await Promise.race([server.ended, aborted(signal)])
    withdrawServer(layout)
    if (!signal.aborted) throw new Error('PostgreSQL ended unexpectedly')
    await server.stop()
  } finally {
    address.remove()
  }
}

async function openCluster(layout: FolderLayout, onNotice: (text: string) => void): Promise<Cluster> {
  checkFolder(layout)
  const programs = findPrograms(layout.root)
  const account = chooseAccount(layout.root, join(programs.bin, 'postgres'))
  if (account.notice !== undefined) onNotice(account.notice)
  const cluster: Cluster = { data: layout.cluster, programs, account }
  await endLeftover(cluster.data)
  if (!hasCluster(cluster.data)) await makeCluster(layout, cluster)
  checkVersion(cluster)
  if (!existsSync(layout.password)) await secureCluster(layout, cluster)
  noteVersion(layout)
  return cluster
}

function aborted(signal: AbortSignal): Promise<void> {
  if (signal.aborted) return Promise.resolve()
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(), { once: true }))
}
