// Earlier versions kept their rows elsewhere: a single gateway in PGlite, several in a PostgreSQL of their own. The first start takes the rows
// over. Nothing is ever deleted.

import { cpSync, existsSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { hasCluster, type Cluster } from './cluster.ts'
import type { FolderLayout } from './folder-layout.ts'
import { endLeftover } from './leftover-server.ts'
import { makeCluster, syncFolder } from './make-cluster.ts'

type Notice = (text: string) => void

/** Makes sure that there is a cluster, with the rows of an earlier version if there are any. */
export async function prepareCluster(layout: FolderLayout, cluster: Cluster, onNotice: Notice): Promise<void> {
  if (!hasCluster(cluster.data)) await makeFirst(layout, cluster, onNotice)
  if (existsSync(layout.pglite)) setAside(layout.pglite, layout.movedPglite, onNotice)
  if (hasShared(layout)) setAside(layout.sharedHome, `${layout.sharedHome}-not-used`, onNotice)
}

async function makeFirst(layout: FolderLayout, cluster: Cluster, onNotice: Notice): Promise<void> {
  if (existsSync(join(layout.pglite, 'pgdata', 'PG_VERSION'))) return movePglite(layout, cluster, onNotice)
  if (hasShared(layout)) return adoptShared(layout, cluster, onNotice)
  return makeCluster(layout, cluster)
}

/** Everything happens in a folder that nobody uses until it is complete, so an interrupted move starts over. */
async function movePglite(layout: FolderLayout, cluster: Cluster, onNotice: Notice): Promise<void> {
  onNotice('Moving the rows of the old database (PGlite) to PostgreSQL…')
  await makeCluster(layout, cluster, async (unfinished) => {
    // Opening a database writes to it, and the old one must stay as it is.
    const copy = join(unfinished.data, '..', 'pglite')
    cpSync(layout.pglite, copy, { recursive: true })
    const { moveRows } = await import('./move-rows.ts')
    const { rows, tables } = await moveRows({ layout, unfinished, copy })
    rmSync(copy, { recursive: true })
    onNotice(`Moved and compared ${rows} rows of ${tables} tables`)
  })
}

function hasShared(layout: FolderLayout): boolean {
  return basename(layout.root) === 'gateway' && hasCluster(join(layout.sharedHome, 'data'))
}

async function adoptShared(layout: FolderLayout, cluster: Cluster, onNotice: Notice): Promise<void> {
  const data = join(layout.sharedHome, 'data')
  await endLeftover(data)
  // The cluster gets a new password.
  rmSync(layout.password, { force: true })
  renameSync(data, cluster.data)
  syncFolder(layout.root)
  onNotice(`Using the database of earlier starts with --gateways, which is now in ${cluster.data}`)
}

function setAside(folder: string, target: string, onNotice: Notice): void {
  let place = target
  for (let number = 2; existsSync(place); number++) place = `${target}-${number}`
  renameSync(folder, place)
  onNotice(`Keeping the old files in ${place}. Hearth doesn't need them any more: you can delete them`)
}
