// npm leaves an optional package out, and says nothing, where `engines` doesn't fit the Node that npm itself runs on. Ours run on the Node that
// npm installs, so the lockfile keeps no `engines` for them. npm 9.6.4, which came with Node 20.0, also takes every Linux for one without
// glibc, and leaves the engine out.

import type { LockedPackage, LockedPackages } from './gaps.ts'

/** There is no engine for Linux without glibc that npm could mistake these for. */
const ENGINE = 'node_modules/@node-llama-cpp/'

/** What makes npm leave out packages that Hearth could use, as `place field`. */
export function mistakable(packages: LockedPackages): string[] {
  return Object.entries(packages).flatMap(([place, entry]) =>
    fieldsOf(place, entry).map((field) => `${place} ${field}`),
  )
}

export function keepForAnyNode(packages: LockedPackages): void {
  for (const [place, entry] of Object.entries(packages)) for (const field of fieldsOf(place, entry)) delete entry[field]
}

function fieldsOf(place: string, entry: LockedPackage): ('engines' | 'libc')[] {
  const fields = [
    (entry.optional || entry.devOptional) && entry.engines !== undefined && ('engines' as const),
    place.startsWith(ENGINE) && entry.libc !== undefined && ('libc' as const),
  ]
  return fields.filter((field) => field !== false && field !== undefined)
}
