// Finds the draft of a model: a small model on the same machine that guesses its next tokens.

import { findListedQuant } from '@hearth/model-list'
import { findEntry } from './register-model.ts'
import type { ModelEntry } from './registry.ts'

export type FoundDraft =
  | { kind: 'none' }
  | { kind: 'found'; entry: ModelEntry }
  /** The owner named one that can't be used. */
  | { kind: 'unusable'; why: string }

/** `auto` and `off` are no names. */
export function isNamed(draft: string): boolean {
  return draft !== 'auto' && draft !== 'off'
}

/** `wanted` is what the owner set for all models. Without a name, only a model that is already here is taken. */
export function findDraft(entry: ModelEntry, models: readonly ModelEntry[], wanted: string): FoundDraft {
  const name = entry.draft ?? wanted
  if (name === 'off') return { kind: 'none' }
  if (name === 'auto') return findListedDraft(entry, models)
  const found = findEntry(models, name)
  if (found === undefined)
    return { kind: 'unusable', why: `it is not on this machine → hearth-device models pull ${name}` }
  if (found.path !== entry.path) return { kind: 'found', entry: found }
  // Set for all models, it is the draft of the others only.
  return entry.draft === undefined
    ? { kind: 'none' }
    : { kind: 'unusable', why: 'it is the model itself → choose a smaller one of the same family' }
}

function findListedDraft(entry: ModelEntry, models: readonly ModelEntry[]): FoundDraft {
  const listed = findListedQuant(entry.name) ?? findListedQuant(entry.source)
  for (const name of listed?.model.drafts ?? []) {
    const found = findEntry(models, name)
    if (found !== undefined) return { kind: 'found', entry: found }
  }
  return { kind: 'none' }
}
