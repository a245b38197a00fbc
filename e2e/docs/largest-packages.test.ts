import { globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { neededPackages, type LockedPackages } from '@hearth/command-line/machine/missing-packages'
import { leaveOut } from '@hearth/command-line/testing/leave-out'

const ROOT = join(import.meta.dirname, '../..')
const COUNT = 10
const isHere = process.platform === 'linux' && process.arch === 'x64'
if (!isHere) leaveOut('the largest packages, which the page lists for Linux x64')

it.runIf(isHere)('docs/machines.md says what each of the largest packages is for', () => {
  const lock = JSON.parse(readFileSync(join(ROOT, 'package-lock.json'), 'utf8')) as { packages: LockedPackages }
  const places = [...neededPackages(lock.packages, 'packages/hearth')].filter((place) => !lock.packages[place]?.link)
  const sizes = places.map((place) => ({ name: place.replace(/^.*node_modules\//, ''), bytes: bytesIn(place) }))
  const largest = sizes.toSorted((a, b) => b.bytes - a.bytes).slice(0, COUNT)
  const page = readFileSync(join(ROOT, 'docs/machines.md'), 'utf8').split('### The largest packages')[1] ?? ''
  const named = [...page.matchAll(/^\| `([^`]+)` /gm)].slice(0, COUNT).map(([, name]) => name)
  expect(named).toEqual(largest.map(({ name }) => name))
})

function bytesIn(place: string): number {
  const files = globSync('**', {
    cwd: join(ROOT, place),
    withFileTypes: true,
    exclude: ({ name }) => name === 'node_modules',
  })
  return files
    .filter((file) => file.isFile())
    .reduce((sum, file) => sum + statSync(join(file.parentPath, file.name)).size, 0)
}
