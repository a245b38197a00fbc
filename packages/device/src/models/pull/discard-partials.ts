// Deletes what a canceled download has left behind. A partial file knows its address, so this needs no network.

import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { isFields, text } from '../../state/fields.ts'
import { readJson } from '../../state/write-atomic.ts'
import { groupName, quantOf } from '../hub/file-groups.ts'
import { fileAddress } from '../hub/hub.ts'
import { PartialFile } from '../download/partial-file.ts'
import { isStarter, type ModelSource } from './source.ts'
import { STARTER } from './starter.ts'

const ORIGIN = '.partial.json'

/** A download that is running keeps its file. */
export function discardPartials(source: ModelSource, folder: string, hub: URL): void {
  const names = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith(ORIGIN)) : []
  for (const name of names) {
    const partial = new PartialFile(join(folder, name.slice(0, -ORIGIN.length)))
    if (!partial.isLocked && belongs(originOf(join(folder, name)), source, hub)) partial.discard()
  }
}

function originOf(path: string): string {
  const fields = readJson(path)
  return (isFields(fields) ? text(fields, 'url') : undefined) ?? ''
}

function belongs(url: string, source: ModelSource, hub: URL): boolean {
  if (isStarter(source)) return url === fileAddress(STARTER, STARTER.path, hub)
  switch (source.kind) {
    case 'url':
      return groupName(new URL(url).pathname) === groupName(source.url.pathname) && url.startsWith(source.url.origin)
    case 'hub':
      return isOf(source, url, hub) && (source.path === undefined || groupName(url).endsWith(groupName(source.path)))
    case 'listed':
      return isOf({ ...source.model.hub, ...(source.quant === undefined ? {} : { quant: source.quant }) }, url, hub)
    case 'file':
    case 'tiny':
    case 'starter':
      return false
    default:
      return source satisfies never
  }
}

function isOf(wanted: { owner: string; repository: string; quant?: string }, url: string, hub: URL): boolean {
  if (!url.startsWith(new URL(`/${wanted.owner}/${wanted.repository}/resolve/`, hub).href)) return false
  return wanted.quant === undefined || quantOf(groupName(url))?.endsWith(wanted.quant.toUpperCase()) === true
}
