// Makes a new cluster beside its final place and moves it there when it is complete and on the disk, so that an interrupted first start leaves
// nothing half-finished.

import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, readdirSync, renameSync, rmSync } from 'node:fs'
import { basename, join } from 'node:path'
import { syncFolder } from '@hearth/command-line/files/sync-folder'
import { writeAtomic } from '@hearth/command-line/files/write-atomic'
import { DATABASE, runTool, USER, type Cluster } from './cluster.ts'
import { letThrough } from './file-rights.ts'
import type { FolderLayout } from './folder-layout.ts'
import { settingFlags } from './settings.ts'

/** The C locale compares bytes, on every system alike. Small pieces of the log make a small folder. */
const INITDB_FLAGS = [
  `--username=${USER}`,
  '--auth=trust',
  '--encoding=UTF8',
  '--locale=C',
  '--wal-segsize=4',
  '--no-sync',
  '--no-instructions',
]

export async function makeCluster(layout: FolderLayout, cluster: Cluster): Promise<void> {
  removeUnfinished(layout)
  // A new name every time: a program of an interrupted start may still write into the last one.
  const home = mkdtempSync(layout.unfinished)
  letThrough(home, cluster.account.group)
  const unfinished = { ...cluster, data: join(home, 'postgres') }
  mkdirSync(unfinished.data, { mode: 0o700 })
  await runTool(unfinished, 'initdb', ['-D', unfinished.data, ...INITDB_FLAGS])
  await secureCluster(layout, unfinished)
  await syncCluster(unfinished)
  renameSync(unfinished.data, cluster.data)
  syncFolder(layout.root)
  removeUnfinished(layout)
}

function removeUnfinished({ root, unfinished }: FolderLayout): void {
  for (const name of readdirSync(root).filter((each) => each.startsWith(basename(unfinished))))
    try {
      rmSync(join(root, name), { recursive: true, force: true })
    } catch {
      // Something still writes there. The next start removes it.
    }
}

/** Nobody gets in without the password, whoever else can reach the socket. It is random, so one round of hashing is enough. */
export async function secureCluster(layout: FolderLayout, cluster: Cluster): Promise<void> {
  const password = randomBytes(32).toString('hex')
  // On a private socket, the password needs no further protection. Proving it would wait for threads that hash people's passwords.
  const access = 'local all all password\nhost all all 127.0.0.1/32 scram-sha-256\n'
  writeAtomic(join(cluster.data, 'pg_hba.conf'), access, { mode: 0o600 })
  const statements = [`alter role ${USER} password '${password}'`, `create database ${DATABASE}`]
  const flags = ['--single', '-D', cluster.data, ...settingFlags({ scram_iterations: '1' }), USER]
  // A database that exists already is an error that changes nothing.
  await runTool(cluster, 'postgres', flags, `${statements.join('\n')}\n`)
  writeAtomic(layout.password, password, { mode: 0o600 })
}

/** In one step where the system can do that, instead of a thousand files one by one. */
function syncCluster(cluster: Cluster): Promise<void> {
  const method = process.platform === 'linux' ? ['--sync-method=syncfs'] : []
  return runTool(cluster, 'initdb', ['-D', cluster.data, '--sync-only', ...method])
}
