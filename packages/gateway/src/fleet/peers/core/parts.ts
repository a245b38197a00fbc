// The rules that a core combines. Each knows one of them.

import type { PeerSnapshot } from '../../../store/peers.ts'
import { Fence } from './fence.ts'
import { Hearing } from './hearing.ts'
import { Mandate } from './mandate.ts'
import { Removals } from './removals.ts'
import { Rights } from './rights.ts'
import { Session } from './session.ts'
import { SetAside } from './set-aside.ts'
import type { Timing } from './timing.ts'

export interface CoreParts {
  fence: Fence
  hearing: Hearing
  mandate: Mandate
  rights: Rights
  session: Session
  setAside: SetAside
  removals: Removals
}

export function createParts(id: string, timing: Timing): CoreParts {
  return {
    fence: new Fence(),
    hearing: new Hearing(timing),
    mandate: new Mandate(timing),
    rights: new Rights(id),
    session: new Session(),
    setAside: new SetAside(timing),
    removals: new Removals(timing),
  }
}

/** Tells each part who is there now. */
export function observe({ removals, setAside, hearing, fence }: CoreParts, snapshot: PeerSnapshot, now: number): void {
  removals.observe(snapshot.rows, now)
  setAside.observe(snapshot, now)
  const numbers = new Set(snapshot.rows.map(({ number }) => number))
  hearing.keep(numbers)
  fence.keep(numbers)
}
