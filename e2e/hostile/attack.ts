// An attack: something that one tenant, one device or a stranger does to a gateway that others use too.

import type { System } from '../harness/start-system.ts'
import type { Report, Tally } from './attacker/tally.ts'

/** The means of an attacker: the address of the gateway and, except for strangers, an organization with keys and devices of its own. */
export interface Target {
  origin: string
  keys: readonly string[]
  /** Of enrolled devices that are not connected. */
  credentials: readonly string[]
  /** Enabled in the attacker's organization; served by no device unless the attacker connects one. */
  model: string
}

/** `run` ends when the attack is over. An attack ends by itself, however the gateway responds. */
export type Attack = {
  name: string
  /** Done before the bystander comes. */
  prepare?(system: System): Promise<void>
} & (
  | {
      /** Runs in a process of its own, so that its work slows down nobody but the gateway. */
      from: 'outside'
      run(target: Target, tally: Tally): Promise<void>
    }
  | {
      /** Happens to the store or the process of the gateway. */
      from: 'inside'
      run(system: System): Promise<Report>
    }
)
