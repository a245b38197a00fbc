// How the process that keeps the server of a data folder announces it, and how other processes find it.

import { once } from 'node:events'
import { readFileSync, rmSync } from 'node:fs'
import { connect, type NetConnectOpts } from 'node:net'
import { join } from 'node:path'
import { writeJson } from '@hearth/command-line/files/write-atomic'
import type { FolderLayout } from './folder-layout.ts'

export interface ServerNote {
  /** The process that keeps the server. */
  pid: number
  /** The folder of the socket, or an IP address, as PostgreSQL's own tools take it: `psql -h <host> -p <port> -U postgres hearth`. */
  host: string
  port: number
}

const PROBE_MS = 2_000

export function announceServer(layout: FolderLayout, note: ServerNote): void {
  writeJson(layout.server, note, { mode: 0o600, isDurable: false })
}

export function withdrawServer(layout: FolderLayout): void {
  rmSync(layout.server, { force: true })
}

/** The last announcement. Its process may be gone. */
export function readServerNote(layout: FolderLayout): ServerNote | undefined {
  try {
    return JSON.parse(readFileSync(layout.server, 'utf8')) as ServerNote
  } catch {
    // Nobody has announced one yet.
    return undefined
  }
}

/** The announced server, if it responds. */
export async function findServer(layout: FolderLayout): Promise<ServerNote | undefined> {
  const note = readServerNote(layout)
  return note?.host !== undefined && (await answers(note)) ? note : undefined
}

export function connectOptions({ host, port }: ServerNote): NetConnectOpts {
  return host.includes('/') ? { path: socketFile(host, port) } : { host, port }
}

export function socketFile(folder: string, port: number): string {
  return join(folder, `.s.PGSQL.${port}`)
}

async function answers(note: ServerNote): Promise<boolean> {
  const socket = connect(connectOptions(note))
  try {
    await once(socket, 'connect', { signal: AbortSignal.timeout(PROBE_MS) })
    return true
  } catch {
    // Its process was killed, and left the announcement.
    return false
  } finally {
    socket.destroy()
  }
}
