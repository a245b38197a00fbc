// Learns a model's templates, in the process that will render them.

import { findFamily } from '../families/families.ts'
import { findAddon } from '../native/jinja.ts'
import type { Native } from '../native/native.ts'
import { Renderer, type StartProcess } from '../rendering/renderer.ts'
import type { TemplateOrigin } from '../rendering/template-failure.ts'
import { readGuardFacts } from '../template/prompt-guard.ts'
import { textRoom } from '../template/text-room.ts'
import { readTokenTexts, toProfile, type ModelProfile } from './model-profile.ts'

export interface StudiedModel {
  profile: ModelProfile
  /** Ends the process that renders, as soon as it has nothing left to do. */
  close: () => void
}

/** `model` is its file. Throws EngineError if a template can't be read, or takes too much. */
export async function studyModel(
  native: Native,
  model: string,
  sources: Native['templates'] = native.templates,
  origin: TemplateOrigin = 'file',
  start?: StartProcess,
): Promise<StudiedModel> {
  const { vocabulary, contextLength } = native
  const templates = {
    type: 'open',
    addon: findAddon(),
    sources,
    tokens: readTokenTexts(vocabulary),
    guard: readGuardFacts(vocabulary),
    model,
    room: { tokens: contextLength, ...textRoom(native) },
  } as const
  const renderer = new Renderer(templates, origin, start)
  const close = () => renderer.close()
  try {
    const family = findFamily(sources.chat ?? '')
    const render: ModelProfile['render'] = (kind, input) => renderer.render(kind, input)
    return { profile: toProfile(native, family, await renderer.study(), render), close }
  } catch (error) {
    close()
    throw error
  }
}
