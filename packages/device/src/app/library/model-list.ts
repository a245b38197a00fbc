// The models that this machine serves, as the registry says. Commands change the file while the app runs.

import { describeError } from '../../errors.ts'
import { loadRegistry, type ModelEntry } from '../../models/registry/registry.ts'
import { createFileWatch } from '../watch-file.ts'

export interface ModelListOptions {
  path: string
  onChange: () => void
  /** The file can't be read; the list stays as it was. */
  onProblem: (text: string) => void
}

export class ModelList {
  readonly #options: ModelListOptions
  readonly #hasChanged: () => boolean
  #entries: readonly ModelEntry[]

  /** Throws DeviceError if the file can't be read. */
  constructor(options: ModelListOptions) {
    this.#options = options
    this.#entries = loadRegistry(options.path)
    this.#hasChanged = createFileWatch(options.path)
    this.#hasChanged()
  }

  get entries(): readonly ModelEntry[] {
    return this.#entries
  }

  look(): void {
    if (this.#hasChanged()) this.read()
  }

  read(): void {
    const { path, onChange, onProblem } = this.#options
    try {
      this.#entries = loadRegistry(path)
    } catch (error) {
      return onProblem(describeError(error))
    }
    onChange()
  }
}
