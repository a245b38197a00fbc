// Counts runs by kind of reply and by fault, and prints both as tables.

import { tableOf } from '../../harness/command.ts'
import type { RealRun } from './real-runs.ts'

interface Count {
  runs: number
  seams: number
  problems: number
}

export class Tally {
  readonly #byKind = new Map<string, Count>()
  readonly #byFault = new Map<string, Count>()
  readonly all: Count = { runs: 0, seams: 0, problems: 0 }
  /** Faults that came before or after the reply prove nothing. */
  missed = 0

  add(run: RealRun): void {
    if (run.problem === undefined && run.seams === 0) {
      this.missed += 1
      return
    }
    count(this.all, run)
    count(at(this.#byKind, run.kind), run)
    for (const fault of run.faults.slice(0, Math.max(1, run.seams))) count(at(this.#byFault, fault), run)
  }

  print(): string {
    const head = ['', 'runs', 'seams', 'wrong']
    const kinds = [...this.#byKind].map(([name, each]) => rowOf(name, each))
    const faults = [...this.#byFault].map(([name, each]) => rowOf(`with a device ${name}`, each))
    const rows = [...kinds, ...faults, rowOf('all', this.all)]
    const missed = `${this.missed} more runs don't count: their faults came before the first token or after the last.`
    return [tableOf(head, rows), '', missed].join('\n')
  }
}

function at(counts: Map<string, Count>, name: string): Count {
  const known = counts.get(name) ?? { runs: 0, seams: 0, problems: 0 }
  counts.set(name, known)
  return known
}

function count(into: Count, { seams, problem }: RealRun): void {
  into.runs += 1
  into.seams += seams
  if (problem !== undefined) into.problems += 1
}

function rowOf(name: string, { runs, seams, problems }: Count): string[] {
  return [name, ...[runs, seams, problems].map(String)]
}
