// `npm run lockfile`: fills in the checksums that the lockfile lacks, from the registry, and takes out what would make npm leave packages out.
// `npm install --package-lock-only` does neither: it keeps an entry as it is.

import { spawnSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { gaps, nameAndVersion, type LockedPackages } from './gaps.ts'
import { keepForAnyNode } from './left-out.ts'

const place = new URL('../../package-lock.json', import.meta.url)
const lock = JSON.parse(readFileSync(place, 'utf8')) as { packages: LockedPackages }
for (const gap of gaps(lock.packages)) {
  const name = nameAndVersion(gap)
  const { stdout } = spawnSync('npm', ['view', name, 'dist.integrity'], { encoding: 'utf8' })
  const integrity = stdout.trim()
  if (integrity.startsWith('sha512-')) gap[1].integrity = integrity
  console.log(gap[1].integrity === undefined ? `${name}: the registry doesn't have it` : `${name}: filled in`)
}
keepForAnyNode(lock.packages)
writeFileSync(place, `${JSON.stringify(lock, null, 2)}\n`)
