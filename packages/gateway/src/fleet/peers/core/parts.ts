// The rules that a core combines. Each knows one of them.

import { Hearing } from './hearing.ts'
import { Mandate } from './mandate.ts'
import { Removals } from './removals.ts'
import { Rights } from './rights.ts'
import { SetAside } from './set-aside.ts'
import type { Timing } from './timing.ts'

export interface CoreParts {
  hearing: Hearing
  mandate: Mandate
  rights: Rights
  setAside: SetAside
  removals: Removals
}

export function createParts(id: string, timing: Timing): CoreParts {
  return {
    hearing: new Hearing(timing),
    mandate: new Mandate(timing),
    rights: new Rights(id),
    setAside: new SetAside(timing),
    removals: new Removals(timing),
  }
}
