// Which version of Hearth a data folder needs. An older version doesn't know where a newer one keeps its files: it would start with an empty
// database, and nobody would notice until later.

import { existsSync } from 'node:fs'
import { basename, join } from 'node:path'
import { readJson, writeJson } from '@hearth/command-line/files/write-atomic'
import { newerVersion, OWN_VERSION } from '../../own-version.ts'
import type { FolderLayout } from './folder-layout.ts'

/** Raise this when files of the folder move or change such that earlier versions would overlook or damage them. */
const LAYOUT = 1

interface FolderVersion {
  layout: number
  /** The first version that knows this layout. */
  hearth: string
}

/** Rejects the folder of a newer version, and of one from before PostgreSQL came along. Changes nothing. */
export function checkFolder(layout: FolderLayout): void {
  const { layout: found, hearth } = readVersion(layout)
  if (found > LAYOUT) throw new Error(newerVersion('the files in this folder', hearth))
  const old = existsSync(layout.cluster) ? undefined : placesOfOld(layout.root).find((place) => existsSync(place))
  if (old === undefined) return
  throw new Error(
    `${old} was written by a development version of Hearth from before its first release, and this version cannot read it. Start that version, ` +
      `or move ${old} away to start with an empty database`,
  )
}

/** PGlite, and the second PostgreSQL that several gateways had. */
function placesOfOld(root: string): string[] {
  return [
    join(root, 'database', 'pgdata'),
    ...(basename(root) === 'gateway' ? [join(root, '..', 'postgres', 'data')] : []),
  ]
}

export function noteVersion(layout: FolderLayout): void {
  if (readVersion(layout).layout === LAYOUT) return
  const version: FolderVersion = { layout: LAYOUT, hearth: OWN_VERSION }
  writeJson(layout.version, version)
}

function readVersion({ version }: FolderLayout): FolderVersion {
  return (readJson(version) as FolderVersion | undefined) ?? { layout: 0, hearth: OWN_VERSION }
}
