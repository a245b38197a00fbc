// A chat template that the organization chose for a model, in place of the one in its file.

import { EngineError } from '../../engine.ts'
import type { Native } from '../native/native.ts'
import { studyModel, type ModelProfile } from './model-profile.ts'
import { buildPrompt } from './prompt.ts'

const PROBE = 'hearth-probe'

/** Throws EngineError if the template can't be read, or leaves out the user's message. */
export function studyOverride(native: Native, chatTemplate: string): ModelProfile {
  try {
    const profile = studyModel(native, { chat: chatTemplate, tools: undefined })
    const { tokens } = buildPrompt({ model: '', messages: [{ role: 'user', content: PROBE }] }, profile)
    if (Buffer.concat(tokens.map((token) => profile.bytes.raw(token))).includes(PROBE)) return profile
  } catch (cause) {
    throw unusable(cause)
  }
  throw unusable(undefined)
}

function unusable(cause: unknown): EngineError {
  const message = "The chat template that is set for this model doesn't work. Change it under Models in the console"
  return new EngineError('failed', message, { cause })
}
