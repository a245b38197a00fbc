import { describe, expect, it } from 'vitest'
import { linkOf, readSharedPreset } from './preset.ts'
import { DEFAULTS } from './settings.ts'

const PAGE = 'https://hearth.example/playground'
const preset = { name: 'Terse „ä“', model: 'm', settings: { ...DEFAULTS, system: 'Be brief.\n#&%', temperature: '0' } }
const fragment = (value: unknown) => `#preset=${encodeURIComponent(JSON.stringify(value))}`

describe('a shared preset', () => {
  it('comes back from its link as it was', () => {
    const link = linkOf(preset, PAGE)
    expect(link.startsWith(`${PAGE}#`)).toBe(true)
    expect(readSharedPreset(new URL(link).hash)).toStrictEqual(preset)
  })

  it('leaves other fragments alone', () => {
    expect(readSharedPreset('')).toBeUndefined()
    expect(readSharedPreset('#top')).toBeUndefined()
  })

  it('that is too long to share says what to shorten', () => {
    const long = { ...preset, settings: { ...DEFAULTS, tools: 'x'.repeat(20_000) } }
    expect(() => linkOf(long, PAGE)).toThrow(/too long for a link: 20\d{3} characters of at most 16000\. Shorten/)
  })

  it.each([
    ['cut off', linkOf(preset, '').slice(0, 60), /is damaged or was cut off/],
    ['no JSON', '#preset=%E0%A4%A', /is damaged or was cut off/],
    ['no object', fragment(null), /has no name/],
    ['too long', `#preset=${'x'.repeat(20_000)}`, /too long/],
    ['without a model', fragment({ name: 'a', settings: {} }), /names no model/],
    ['without settings', fragment({ name: 'a', model: 'm' }), /no settings/],
    ['an unknown setting', fragment({ name: 'a', model: 'm', settings: { draft: 'x' } }), /"draft" is not a setting/],
    ['a hostile key', '#preset={"name":"a","model":"m","settings":{"__proto__":{"x":1}}}', /is not a setting/],
    ['another type', fragment({ name: 'a', model: 'm', settings: { stream: 'yes' } }), /"stream" can’t be used/],
    ['no choice', fragment({ name: 'a', model: 'm', settings: { format: 'xml' } }), /"format" can’t be used/],
  ])('is rejected whole if it is %s', (_what, hash, message) => {
    expect(() => readSharedPreset(hash)).toThrow(message)
  })
})
