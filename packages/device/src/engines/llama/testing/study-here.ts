// Templates in the test's own process: for tests of what they write, which trust them.

import { findFamily } from '../families/families.ts'
import { findAddon, openJinja, type CompileTemplate } from '../native/jinja.ts'
import type { Native } from '../native/native.ts'
import { RenderedPrompt } from '../rendering/rendered-prompt.ts'
import { studyTemplates } from '../rendering/study-templates.ts'
import { readTokenTexts, toProfile, type ModelProfile } from '../run/model-profile.ts'
import { ChatTemplate } from '../template/chat-template.ts'
import { PromptGuard, readGuardFacts, type Tokenize } from '../template/prompt-guard.ts'
import { textRoom } from '../template/text-room.ts'

export function templateHere(
  { vocabulary }: Pick<Native, 'vocabulary'>,
  source: string | undefined,
  compile: CompileTemplate = openJinja(findAddon()),
): ChatTemplate {
  return new ChatTemplate(compile, { bos: vocabulary.bos?.text ?? '', eos: vocabulary.eosText }, source)
}

export function studyHere(native: Native, sources = native.templates): ModelProfile {
  const chat = templateHere(native, sources.chat)
  const templates = { chat, tools: sources.tools === undefined ? chat : templateHere(native, sources.tools) }
  const { vocabulary, contextLength } = native
  const study = studyTemplates(templates, readTokenTexts(vocabulary))
  const guard = new PromptGuard(readGuardFacts(vocabulary))
  const tokenize: Tokenize = (text, special) => Uint32Array.from(vocabulary.tokenize(text, special))
  const room = { tokens: contextLength, ...textRoom(native) }
  return toProfile(native, findFamily(chat.source), study, async (kind, input) =>
    new RenderedPrompt(templates[kind], guard, input).tokenize(tokenize, room),
  )
}
