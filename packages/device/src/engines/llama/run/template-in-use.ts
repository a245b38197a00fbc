// The chat template that a loaded model uses now: the one in its file, or one that the organization set.

import type { Native } from '../native/native.ts'
import type { ModelProfile } from './model-profile.ts'
import { studyModel, type StudiedModel } from './study-model.ts'
import { studyOverride } from './study-override.ts'

export class TemplateInUse {
  readonly #native: Native
  #studied: Promise<StudiedModel>

  /** Undefined means the one in the file. */
  constructor(native: Native, chatTemplate: string | undefined) {
    this.#native = native
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
    const studied = chatTemplate === undefined ? studyModel(this.#native) : studyOverride(this.#native, chatTemplate)
    // Jobs fail with the reason. Nobody needs to hear it before.
    studied.catch(() => undefined)
    return studied
  }
}
