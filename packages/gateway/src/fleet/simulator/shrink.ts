// Makes the plan of a broken world smaller: every trouble that the broken promise doesn't need is left out.

import { Violation } from './violation.ts'
import type { Trouble } from './trouble.ts'
import { planOf, simulate, type SimulationOptions } from './simulate.ts'

export interface Shrunk {
  /** With the last steps of the smallest plan. */
  message: string
  plan: readonly Trouble[]
}

/** Throws if the world keeps its promises. */
export async function shrink(options: SimulationOptions): Promise<Shrunk> {
  let plan = options.plan ?? planOf(options)
  let message = await broken({ ...options, plan })
  if (message === undefined) throw new Error(`Cannot shrink seed ${options.seed}: no promise is broken`)
  for (let index = 0; index < plan.length;) {
    const smaller = plan.toSpliced(index, 1)
    const still = await broken({ ...options, plan: smaller })
    if (still === undefined) index += 1
    else [plan, message] = [smaller, still]
  }
  return { message, plan }
}

async function broken(options: SimulationOptions): Promise<string | undefined> {
  try {
    await simulate(options)
    return undefined
  } catch (error) {
    if (error instanceof Violation) return error.message
    throw error
  }
}
