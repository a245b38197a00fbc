// The process of the embedded database, started by server-process.ts, because PGlite would block the thread that streams tokens for
// milliseconds at a time. It lives exactly as long as its parent: the channel between them closes however the parent ends. It ignores
// signals, because terminals and service managers send them to both processes, and the parent still writes while it drains.

import { accessSync, constants, mkdirSync } from 'node:fs'
import { createServer } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { takeFileLock, type FileLock } from '../../file-lock.ts'
import { explainStartError } from './explain-start-error.ts'
import { announceServer, findServer, readServerNote, withdrawServer } from './find-server.ts'
import { folderLayout, type FolderLayout } from './folder-layout.ts'
import { listenPrivately } from './listen-privately.ts'
import { openDatabase } from './open-database.ts'
import { serveConnections } from './serve-connections.ts'

/** The first message to the parent. All later ones say that this process still responds. */
export type ServerReport =
  | { type: 'ready'; socket: string }
  /** Another process has the folder open and serves it; this one exits. */
  | { type: 'served-elsewhere'; socket: string }
  | { type: 'failed'; message: string }

/** A process that holds the lock without responding is starting or stopping. Creating a database takes half a minute on a slow machine. */
const OTHER_PROCESS_MS = 60_000
const LOOK_AGAIN_MS = 100

const parentGone = new Promise<void>((resolve) => process.once('disconnect', resolve))
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)

const layout = folderLayout(process.argv[2] ?? './data')
try {
  await run()
} catch (error) {
  await report({ type: 'failed', message: explainStartError(error, layout.root) })
  // A failed database is not closed: connections may still wait for it, and the next start replays its log.
  process.exit(1)
}
process.disconnect?.()

async function run(): Promise<void> {
  mkdirSync(layout.root, { recursive: true, mode: 0o700 })
  accessSync(layout.root, constants.R_OK | constants.W_OK | constants.X_OK)
  const place = await lockOrFind(layout)
  if ('socket' in place) return report({ type: 'served-elsewhere', socket: place.socket })
  try {
    await serve()
  } finally {
    place.release()
  }
}

// PGlite lets two processes open the same folder, and then the writes of one of them are lost. So the folder is locked first.
async function lockOrFind(layout: FolderLayout): Promise<FileLock | { socket: string }> {
  const until = performance.now() + OTHER_PROCESS_MS
  while (performance.now() < until && process.connected) {
    const found = takeFileLock(layout.lock) ?? (await findServer(layout))
    if (found) return found
    await sleep(LOOK_AGAIN_MS)
  }
  throw new Error(
    `process ${readServerNote(layout)?.pid ?? 'of unknown id'} has it open and does not respond. Stop that process, then start again`,
  )
}

async function serve(): Promise<void> {
  const database = await openDatabase(layout)
  const server = createServer()
  const failed = Promise.withResolvers<never>()
  const endConversations = serveConnections(server, database, failed.reject)
  const socket = await listenPrivately(server, layout)
  announceServer(layout, { pid: process.pid, socket: socket.path })
  await report({ type: 'ready', socket: socket.path })
  process.on('message', (question) => process.send?.(question))
  await Promise.race([parentGone, failed.promise])
  withdrawServer(layout)
  server.close()
  socket.remove()
  await endConversations()
  await database.close()
}

async function report(message: ServerReport): Promise<void> {
  if (!process.connected) return
  await new Promise<void>((resolve) => process.send?.(message, undefined, undefined, () => resolve()))
}
