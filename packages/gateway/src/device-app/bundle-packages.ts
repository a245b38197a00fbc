// The packages that an installer needs come with it: npm would fetch them from a registry, without the checksums of our lockfile.

import { readdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { join as joinPosix } from 'node:path/posix'
import { reach, type LockEntries } from './app-lock.ts'
import type { PackedFile } from './tarball.ts'

/** What runs, and its license. */
const WANTED = /(^package\.json|^license(\.\w+)?|\.js)$/i

/** `home` is the workspace that depends on them; `root` has them installed, as the lockfile says. */
export async function bundlePackages(
  root: string,
  entries: LockEntries,
  home: string,
  names: readonly string[],
): Promise<PackedFile[]> {
  const folders = [...reach(entries, home, names).keys()].toSorted()
  return (await Promise.all(folders.map((folder) => readPackage(root, folder)))).flat()
}

async function readPackage(root: string, folder: string): Promise<PackedFile[]> {
  const listed = await readdir(join(root, folder), { recursive: true })
  const wanted = listed.map((name) => name.replaceAll('\\', '/')).filter((name) => WANTED.test(name))
  return Promise.all(
    wanted.toSorted().map(async (name) => ({
      path: joinPosix(folder, name),
      content: await readFile(join(root, folder, name)),
    })),
  )
}
