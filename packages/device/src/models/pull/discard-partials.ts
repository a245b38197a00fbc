// Deletes what a canceled download has left behind: partial files, and complete parts of a model that is not whole. The names of the files
// tell where they came from, so this needs no network.

import { existsSync, readdirSync } from 'node:fs'
import { basename, join } from 'node:path'
import { PartialFile } from '../download/partial-file.ts'
import { groupName, quantOf } from '../hub/file-groups.ts'
import type { HubAddress } from '../hub/hub-address.ts'
import { hubFileName, urlFileName } from '../hub/resolve.ts'
import { piecesOf } from '../registry/pieces.ts'
import type { ModelFiles } from '../registry/register-model.ts'
import { loadRegistry } from '../registry/registry.ts'
import { isStarter, type ModelSource } from './source.ts'
import { STARTER } from './starter.ts'

/** A download that is running keeps its files, and a model that is served keeps all of them. */
export function discardPartials(source: ModelSource, { models, registry }: ModelFiles): void {
  const names = existsSync(models) ? readdirSync(models).flatMap((name) => /^.+\.gguf(?=$|\.)/i.exec(name) ?? []) : []
  const served = new Set(loadRegistry(registry).flatMap(({ path }) => piecesOf(path)))
  const left = [...new Set(names)].filter((name) => belongs(name, source) && !served.has(join(models, name)))
  for (const parts of Map.groupBy(left, groupName).values()) {
    const files = parts.map((name) => new PartialFile(join(models, name)))
    if (files.some(({ isLocked }) => isLocked)) continue
    for (const file of files) file.discardAll()
  }
}

function belongs(name: string, source: ModelSource): boolean {
  if (isStarter(source)) return name === basename(STARTER.path)
  switch (source.kind) {
    case 'url':
      return isSameModel(name, urlFileName(source.url))
    case 'hub':
      return isOf(source, name) && (source.path === undefined || isSameModel(name, hubFileName(source, source.path)))
    case 'listed':
      return isOf({ ...source.model.hub, ...(source.quant === undefined ? {} : { quant: source.quant }) }, name)
    case 'file':
    case 'tiny':
    case 'starter':
      return false
    default:
      return source satisfies never
  }
}

function isSameModel(name: string, other: string): boolean {
  return groupName(name) === groupName(other)
}

function isOf(wanted: HubAddress & { quant?: string }, name: string): boolean {
  if (!name.startsWith(hubFileName(wanted, '').replace(/\.gguf$/, ''))) return false
  return wanted.quant === undefined || quantOf(groupName(name))?.endsWith(wanted.quant.toUpperCase()) === true
}
