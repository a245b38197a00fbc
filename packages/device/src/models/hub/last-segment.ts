// The last part of a URL's path: the name of the file there.

import { basename } from 'node:path'

/** As the URL has it, if its escapes are no text. */
export function lastSegment({ pathname }: URL): string {
  const name = basename(pathname)
  try {
    return decodeURIComponent(name)
  } catch {
    return name
  }
}
