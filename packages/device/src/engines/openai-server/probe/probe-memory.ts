// Keeps probe results across restarts of the device app, because probing a server that loads models on demand means loading all of them.
// Contains results only, never any part of a prompt or an answer.

import { keepNotes, recallNotes } from '@hearth/command-line/files/notes'
import { asFields, isCount } from '@hearth/sealing/fields'
import type { Abilities } from '../request/abilities.ts'

export interface RememberedServer {
  abilities: Abilities
  contextLength: number
}

export interface ProbeMemory {
  recall(key: string): RememberedServer | undefined
  keep(key: string, found: RememberedServer): void
}

/** Increased whenever a probe is added or becomes stricter. */
const EDITION = 2
const MAX_KEPT = 500

/** If the file can't be read or written, models are simply probed again. */
export function createProbeMemory(path: string): ProbeMemory {
  const kept = new Map(readKept(path))
  return {
    recall: (key) => kept.get(key),
    keep(key, found) {
      kept.delete(key)
      kept.set(key, found)
      keepNotes(path, { edition: EDITION, models: Object.fromEntries([...kept].slice(-MAX_KEPT)) })
    },
  }
}

function readKept(path: string): [string, RememberedServer][] {
  const { edition, models } = recallNotes(path)
  if (edition !== EDITION) return []
  return Object.entries(asFields(models)).flatMap(([key, value]) => {
    const { abilities, contextLength } = asFields(value)
    const isWhole = 'limitField' in asFields(abilities) && isCount(contextLength)
    return isWhole ? [[key, value as RememberedServer]] : []
  })
}
