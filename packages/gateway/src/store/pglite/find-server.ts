// How the process that serves a data folder announces its server, and how other processes find it.

import { once } from 'node:events'
import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import type { FolderLayout } from './folder-layout.ts'

export interface ServerNote {
  pid: number
  socket: string
}

const PROBE_MS = 2_000

export function announceServer(layout: FolderLayout, note: ServerNote): void {
  const draft = `${layout.server}.new`
  writeFileSync(draft, JSON.stringify(note), { mode: 0o600 })
  renameSync(draft, layout.server)
}

export function withdrawServer(layout: FolderLayout): void {
  rmSync(layout.server, { force: true })
}

/** The last announcement. Its process may be gone. */
export function readServerNote(layout: FolderLayout): ServerNote | undefined {
  try {
    return JSON.parse(readFileSync(layout.server, 'utf8')) as ServerNote
  } catch {
    return undefined
  }
}

/** The announced server, if it responds. */
export async function findServer(layout: FolderLayout): Promise<ServerNote | undefined> {
  const note = readServerNote(layout)
  return note && (await answers(note.socket)) ? note : undefined
}

async function answers(path: string): Promise<boolean> {
  const socket = connect(path)
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PROBE_MS) })
    return true
  } catch {
    return false
  } finally {
    socket.destroy()
  }
}
