// Where the models of this machine compute. The ladder is opened when the first model needs it, because finding a rung may take a download.

import { describeError } from '@hearth/command-line/errors'
import type { BackendReport } from '../../gpu/backend.ts'
import type { Ladder } from '../../gpu/ladder.ts'
import { openLadder, type GpuSettings, type LadderWorld } from './open-ladder.ts'

export interface BackEndOptions {
  /** Where GPU packages and the memory of the ladder are kept. */
  folder: string
  settings: GpuSettings
  world: Omit<LadderWorld, 'onReport'>
  onReport: (report: BackendReport) => void
  signal: AbortSignal
}

export class BackEnd {
  readonly #options: BackEndOptions
  #ladder: Promise<Ladder> | undefined
  #report: BackendReport | undefined

  constructor(options: BackEndOptions) {
    this.#options = options
  }

  /** Undefined until a model was loaded. */
  get report(): BackendReport | undefined {
    return this.#report
  }

  ladder(): Promise<Ladder> {
    const { settings, world } = this.#options
    this.#ladder ??= this.#open(settings).catch((error: unknown) => {
      world.say(`GPU detection failed: ${describeError(error)}`)
      return this.#open({ ...settings, gpu: 'off' })
    })
    return this.#ladder
  }

  #open(settings: GpuSettings): Promise<Ladder> {
    const { folder, world, onReport, signal } = this.#options
    const keep = (report: BackendReport): void => {
      this.#report = report
      onReport(report)
    }
    return openLadder(folder, settings, { ...world, onReport: keep }, signal)
  }
}
