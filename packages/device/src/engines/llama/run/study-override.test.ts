import { describe, expect, it, onTestFinished } from 'vitest'
import type { Native } from '../native/native.ts'
import { TINY_MODEL_PATH } from '../testing/tiny-model.ts'
import { findFeatures } from './features.ts'
import type { StudiedModel } from './study-model.ts'
import { studyOverride } from './study-override.ts'
import { useTinyEngine } from '../testing/tiny-engine.ts'

const SHOUTING =
  '{% for message in messages %}{{ message.role }}! {{ message.content }}\n{% endfor %}{% if add_generation_prompt %}assistant!{% endif %}'

const tiny = await useTinyEngine({ slots: 1, contextLength: 512 })

async function study(native: Native, template: string): Promise<StudiedModel> {
  const studied = await studyOverride(native, TINY_MODEL_PATH, template)
  onTestFinished(() => studied.close())
  return studied
}

describe('a chat template in place of the one in the file', () => {
  it('lets a model be served whose own template is broken', async () => {
    const templates = { chat: "{{ raise_exception('never') }}", tools: undefined }
    const native = { ...tiny.parts.native, templates }
    const { profile } = await study(native, SHOUTING)
    expect(await findFeatures({ ...tiny.parts, native, profile })).toContain('tools')
  })

  it.each([
    ['can’t be read', '{% for message in messages %}'],
    ['rejects every message', "{{ raise_exception('never') }}"],
    ['leaves out the message', '{{ messages | length }}'],
  ])('is rejected if it %s', async (_why, template) => {
    await expect(study(tiny.parts.native, template)).rejects.toThrow(/chat template .* doesn't work/)
  })
})
