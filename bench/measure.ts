// A measure: something the benchmark finds out, with the bars it has to stay under. To add one, write it in a file of its own in measures/
// and list it in measures.ts.

import type { Row } from './report.ts'
import type { System } from './systems/system.ts'

export interface Measure {
  /** For --only. */
  name: string
  run(options: BenchOptions): Promise<Row[]>
}

export interface BenchOptions {
  /** How often each process is measured at least. */
  rounds: number
  /** How many processes of our gateway are measured. */
  processes: number
  /** How long one round takes. */
  seconds: number
  /** Load before the first round, so that no system is still compiling its code while it is measured. */
  warmUpSeconds: number
  /** Sizes may be smaller, and figures rougher. */
  isQuick: boolean
  /** Another checkout of this repository, whose gateway is measured too. */
  against: string | undefined
  /** The upstream server first, then the peers in front of it. Started once, and stopped at the end. */
  peers(): Promise<readonly System[]>
}
