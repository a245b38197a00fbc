// The models that this machine keeps, and its room for more, as the console shows them.

import {
  MAX_MODELS_PER_DEVICE,
  MAX_REASON_LENGTH,
  MAX_SOURCE_LENGTH,
  plainSource,
  type KeptModel,
  type Library,
} from '@hearth/protocol'
import type { ModelEntry } from '../models/registry/registry.ts'
import type { Permission } from '../news.ts'

export interface LibraryFacts {
  permission: Permission
  takesTemplates: boolean
  entries: readonly ModelEntry[]
  diskFreeBytes: number
  memoryBytes: number
  isDeletable: (entry: ModelEntry) => boolean
}

/** The room on a disk changes all the time; people don't need to see each file. */
const DISK_STEP_BYTES = 100_000_000

export function describeLibrary({ permission, takesTemplates, entries, ...room }: LibraryFacts): Library {
  return {
    isOpen: permission.allowed,
    ...(!permission.allowed && { why: permission.why.slice(0, MAX_REASON_LENGTH) }),
    takesTemplates,
    diskFreeBytes: Math.floor(room.diskFreeBytes / DISK_STEP_BYTES) * DISK_STEP_BYTES,
    memoryBytes: Math.floor(room.memoryBytes),
    models: entries.slice(0, MAX_MODELS_PER_DEVICE).map((entry) => describeEntry(entry, room.isDeletable(entry))),
  }
}

function describeEntry({ name, bytes, source }: ModelEntry, isDeletable: boolean): KeptModel {
  // A path says something about the owner's folders, which is nobody else's business.
  const isPath = /^[./~\\]|^[a-zA-Z]:[\\/]/.test(source)
  return { name, bytes, ...(!isPath && { source: plainSource(source).slice(0, MAX_SOURCE_LENGTH) }), isDeletable }
}
