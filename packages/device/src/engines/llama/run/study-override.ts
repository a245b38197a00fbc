// A chat template that the organization chose for a model, in place of the one in its file.

import type { Native } from '../native/native.ts'
import type { StartProcess } from '../rendering/renderer.ts'
import type { ModelProfile } from './model-profile.ts'
import { studyModel, type StudiedModel } from './study-model.ts'
import { EngineError } from '../../engine.ts'
import { TemplateFailure } from '../rendering/template-failure.ts'
import { buildPrompt } from './prompt.ts'

const PROBE = 'hearth-probe'

/** Throws EngineError if the template can't be read, takes too much, or leaves out the user's message. */
export async function studyOverride(
  native: Native,
  model: string,
  chatTemplate: string,
  start?: StartProcess,
): Promise<StudiedModel> {
  let studied: StudiedModel | undefined
  try {
    studied = await studyModel(native, model, { chat: chatTemplate, tools: undefined }, 'organization', start)
    if (await showsMessage(studied.profile)) return studied
    throw new TemplateFailure('organization', 'unfitting')
  } catch (error) {
    studied?.close()
    throw error instanceof TemplateFailure && error.isExcess ? error : unusable(error)
  }
}

async function showsMessage(profile: ModelProfile): Promise<boolean> {
  const { tokens } = await buildPrompt({ model: '', messages: [{ role: 'user', content: PROBE }] }, profile)
  return Buffer.concat(tokens.map((token) => profile.bytes.raw(token))).includes(PROBE)
}

function unusable(cause: unknown): EngineError {
  const message = "The chat template that is set for this model doesn't work. Change it under Models in the console"
  return new EngineError('failed', message, { cause })
}
