// Adds models to the registry and removes them, together with the files that nothing else needs.

import { present } from '@hearth/command-line/present'
import { rmSync } from 'node:fs'
import { relative } from 'node:path'
import { findListed } from '@hearth/model-list'
import { CommandError } from '@hearth/command-line/errors'
import { lastChange } from './current-digest.ts'
import { allParts } from '../hub/file-groups.ts'
import { loadRegistry, saveRegistry, withModel, type ModelEntry } from './registry.ts'

export interface ModelFiles {
  registry: string
  /** Where downloaded models are kept. Files elsewhere belong to the owner and are never deleted. */
  models: string
}

export interface Removal {
  entry: ModelEntry
  /** 0 if the file is the owner's own, or another model needs it. */
  freedBytes: number
}

/** Windows doesn't delete a file that an engine still has open; the app closes it soon after the registry changes. */
const STILL_OPEN = { maxRetries: 20, retryDelay: 250 }

/** Replaces a model with the same name, and deletes the file of that one. Returns the entry as it was written. */
export function registerModel(files: ModelFiles, entry: ModelEntry): ModelEntry {
  const before = loadRegistry(files.registry)
  // Models that share the file have the same new content.
  const { path, bytes, sha256, pieces } = entry
  const content = present({ bytes, sha256, modifiedMs: lastChange(path), pieces })
  const others = before.map((other) => (other.path === path ? { ...other, ...content } : other))
  const written = { ...entry, ...content }
  saveRegistry(files.registry, withModel(others, written))
  const replaced = before.find(({ name }) => name === entry.name)
  if (replaced !== undefined) deleteUnused(files, replaced)
  return written
}

/** By its name, or another name of the same model. Throws CommandError if there is no such model. */
export function removeModel(files: ModelFiles, name: string): Removal {
  const entries = loadRegistry(files.registry)
  const entry = findEntry(entries, name)
  if (entry === undefined) {
    const names = entries.map((candidate) => candidate.name).join(', ')
    throw new CommandError(
      `There is no model "${name}" on this machine`,
      names === '' ? 'it has no models yet' : `its models: ${names}`,
    )
  }
  saveRegistry(
    files.registry,
    entries.filter((candidate) => candidate !== entry),
  )
  return { entry, freedBytes: deleteUnused(files, entry) }
}

export function findEntry(entries: readonly ModelEntry[], name: string): ModelEntry | undefined {
  return entries.find((entry) => entry.name === name) ?? entries.find((entry) => entry.name === findListed(name)?.name)
}

/** Returns how many bytes that freed. */
function deleteUnused({ registry, models }: ModelFiles, { path, bytes }: ModelEntry): number {
  const isOurs = !relative(models, path).startsWith('..')
  if (!isOurs || loadRegistry(registry).some((entry) => entry.path === path)) return 0
  for (const piece of allParts(path))
    for (const file of [piece, `${piece}.partial`, `${piece}.partial.json`])
      rmSync(file, { force: true, ...STILL_OPEN })
  return bytes
}
