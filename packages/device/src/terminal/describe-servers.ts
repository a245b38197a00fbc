// What the owner is told about local servers that nobody has decided about.

import { plural } from '@hearth/command-line/format'
import type { FoundServer } from '../news.ts'

/** Ollama is running here with 5 models */
export function describeSeen({ product, title, url, models }: FoundServer): string {
  const many = plural(models.length, 'model')
  return product === 'other' ? `A local server at ${url} has ${many}` : `${title} is running here with ${many}`
}

export function commandToServe(servers: readonly FoundServer[]): string {
  return `hearth-device servers add ${servers.map(shortName).join(' ')}`
}

/** What commands call it. */
export function shortName({ product, url }: FoundServer): string {
  return product === 'other' ? url : product
}
