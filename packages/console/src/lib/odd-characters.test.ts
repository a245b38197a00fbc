import { describe, expect, it } from 'vitest'
import { showOddCharacters, splitOddCharacters } from './odd-characters.ts'

describe('odd characters', () => {
  it.each([
    ['a bidirectional override', 'good\u202Egnp.exe', 'good⟨U+202E⟩gnp.exe'],
    ['an isolate', 'a\u2066b', 'a⟨U+2066⟩b'],
    ['a control character', 'a\u0000b\u001Bc', 'a⟨U+0000⟩b⟨U+001B⟩c'],
    ['a zero width space', 'lla\u200Bma', 'lla⟨U+200B⟩ma'],
    ['a joiner between letters', 'lla\u200Dma', 'lla⟨U+200D⟩ma'],
    ['a soft hyphen', 'a\u00ADb', 'a⟨U+00AD⟩b'],
    ['a hard space', 'a\u00A0b', 'a⟨U+00A0⟩b'],
    ['a line separator', 'a\u2028b', 'a⟨U+2028⟩b'],
    ['a lone surrogate', 'a\uD800b', 'a⟨U+D800⟩b'],
    ['a tag character', 'a\u{E0041}b', 'a⟨U+E0041⟩b'],
    ['a private character', 'a\uE000b', 'a⟨U+E000⟩b'],
    ['a filler that looks like nothing', 'a\u3164b', 'a⟨U+3164⟩b'],
  ])('shows the code point of %s', (_, name, shown) => {
    expect(showOddCharacters(name)).toBe(shown)
  })

  it.each(['qwen3:8b', 'org/model name', 'Größe', '日本語', 'العربية', '👩‍💻 laptop', '<b>bold</b>'])(
    'leaves %s unchanged',
    (name) => {
      expect(splitOddCharacters(name)).toStrictEqual([{ text: name, isOdd: false }])
    },
  )
})
