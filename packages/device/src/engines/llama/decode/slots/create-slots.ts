// The slots of a model that was just loaded.

import type { Checkpoints } from './checkpoints.ts'
import { PrefixOwners } from './prefix-owners.ts'
import { noNumbers } from './slot-numbers.ts'
import type { Slot } from './slots.ts'

export function createSlots<Occupant>(count: number, checkpoints: Checkpoints | undefined): Slot<Occupant>[] {
  return Array.from({ length: count }, (_, id) => ({
    id,
    tokens: [],
    numbers: noNumbers(),
    owners: new PrefixOwners(),
    ...(checkpoints && { checkpoints: { lengthUpTo: (most: number) => checkpoints.lengthUpTo(id, most) } }),
    occupant: undefined,
    lastUsed: 0,
  }))
}
