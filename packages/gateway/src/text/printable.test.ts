import { describe, expect, it } from 'vitest'
import { dropUnprintable, escapeToOneLine, escapeUnprintable } from './printable.ts'

const NASTY = 'a\u001B[31mb\u009Bc\u202Ed\u2066e\u0007f\rg'

describe('text from outside', () => {
  it('loses characters that a terminal would obey', () => {
    expect(dropUnprintable(`${NASTY}\n`)).toBe('a[31mbcdefg')
    expect(dropUnprintable('Größe 🦔 研究')).toBe('Größe 🦔 研究')
  })

  it('shows them as JSON escapes, so that JSON stays the same JSON', () => {
    const escaped = String.raw`a\u001b[31mb\u009bc\u202ed\u2066e\u0007f\u000dg`
    expect(escapeUnprintable(`${NASTY}\n\t`)).toBe(`${escaped}\n\t`)
    expect(escapeToOneLine(`${NASTY}\n`)).toBe(String.raw`${escaped}\u000a`)
    const text = JSON.stringify({ app: NASTY }, null, 2)
    expect(JSON.parse(escapeUnprintable(text))).toEqual({ app: NASTY })
    expect(escapeUnprintable('Größe 🦔 研究')).toBe('Größe 🦔 研究')
  })
})
