// Stores PGlite's files on the host's disk and really syncs them. The library runs with fsync off and its file layer has no sync operation,
// so a power failure could lose rows that were acknowledged. This adds the operation, for files and folders, and turns fsync on.

import { closeSync, fdatasyncSync, fsyncSync, openSync } from 'node:fs'
import { PGlite } from '@electric-sql/pglite'
import { NodeFS } from '@electric-sql/pglite/nodefs'

/** The library's parameters without -F (no fsync). Its fdatasync is an empty stub; only fsync reaches the file layer. */
export const DURABLE_START = [
  ...PGlite.defaultStartParams.filter((parameter) => parameter !== '-F'),
  '-c',
  'wal_sync_method=fsync',
]

/** The parts of the library's file layer that are used here. It publishes no types for them. */
interface FileLayer {
  FS: {
    filesystems: { NODEFS: { stream_ops: { fsync?: (stream: Stream) => number }; realPath(node: unknown): string } }
    ErrnoError: new (code: number) => Error
  }
}

interface Stream {
  /** The host's file descriptor; folders have none. */
  nfd?: number
  node: unknown
}

const EIO = 29

export class DurableFilesystem extends NodeFS {
  override async init(...[database, options]: Parameters<NodeFS['init']>) {
    const { emscriptenOpts } = await super.init(database, options)
    const preRun = [...(emscriptenOpts.preRun ?? []), (layer: unknown) => addSync(layer as FileLayer)]
    return { emscriptenOpts: { ...emscriptenOpts, preRun } }
  }
}

function addSync({ FS }: FileLayer): void {
  const { NODEFS } = FS.filesystems
  NODEFS.stream_ops.fsync = ({ nfd, node }) => {
    try {
      if (nfd === undefined) syncFolder(NODEFS.realPath(node))
      else fdatasyncSync(nfd)
      return 0
    } catch {
      // PostgreSQL stops after a failed sync, because nobody knows what is on the disk; the next start replays its log.
      throw new FS.ErrnoError(EIO)
    }
  }
}

export function syncFolder(path: string): void {
  // Windows syncs folder entries on its own and cannot open folders.
  if (process.platform === 'win32') return
  const folder = openSync(path, 'r')
  try {
    fsyncSync(folder)
  } finally {
    closeSync(folder)
  }
}
