// The chat template that a loaded model uses now: the one in its file, or one that the organization set.

import type { Native } from '../native/native.ts'
import type { StartProcess } from '../rendering/renderer.ts'
import type { ModelProfile } from './model-profile.ts'
import { studyModel, type StudiedModel } from './study-model.ts'
import { studyOverride } from './study-override.ts'

export class TemplateInUse {
  readonly #native: Native
  readonly #model: string
  readonly #start: StartProcess | undefined
  #studied: Promise<StudiedModel>

  /** `model` is its file; no template means the one in it. `start` starts the processes that render, if not in the usual way. */
  constructor(native: Native, model: string, chatTemplate: string | undefined, start?: StartProcess) {
    this.#native = native
    this.#model = model
    this.#start = start
    this.#studied = this.#study(chatTemplate)
  }

  /** Rejects with EngineError if the template can't be used: another one would not answer the way it was meant. */
  get profile(): Promise<ModelProfile> {
    return this.#studied.then(({ profile }) => profile)
  }

  /** Jobs that have the profile of the template before it keep that one. */
  change(chatTemplate: string | undefined): void {
    this.close()
    this.#studied = this.#study(chatTemplate)
  }

  close(): void {
    this.#studied.then(
      ({ close }) => close(),
      () => undefined,
    )
  }

  #study(chatTemplate: string | undefined): Promise<StudiedModel> {
    const studied =
      chatTemplate === undefined
        ? studyModel(this.#native, this.#model, this.#native.templates, 'file', this.#start)
        : studyOverride(this.#native, this.#model, chatTemplate, this.#start)
    // Jobs fail with the reason. Nobody needs to hear it before.
    studied.catch(() => undefined)
    return studied
  }
}
