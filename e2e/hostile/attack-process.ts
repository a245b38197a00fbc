// The process of an attacker: gets a target, runs one attack on it and reports.

import { ATTACKS } from './attacks.ts'
import type { Target } from './attack.ts'
import { Tally } from './attacker/tally.ts'

export interface Order {
  attack: string
  target: Target
}

process.once('message', ({ attack, target }: Order) => {
  const found = ATTACKS.find(({ name }) => name === attack)
  if (found?.from !== 'outside') throw new Error(`There is no attack "${attack}" from outside`)
  const tally = new Tally()
  void found
    .run(target, tally)
    .catch((error: unknown) => tally.count(`failed: ${String(error)}`))
    .then(() => process.send?.(tally.report(), () => process.exit(0)))
})
process.on('disconnect', () => process.exit(1))
