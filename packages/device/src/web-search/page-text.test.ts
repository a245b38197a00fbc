import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { pageText } from './page-text.ts'

describe('pageText', () => {
  it('keeps the text that people read', () => {
    const html = `<!doctype html><head><title>T</title><style>p{}</style></head><body><NAV>menu</NAV><!-- note --><h1>Oslo &amp; B&#233;rgen</h1>
      <p>One<br>two &lt;b&gt; 3 < 4</p><SCRIPT>if (a < b) x()</SCRIPT><p>three</p>`
    expect(pageText(html)).toBe('Oslo & Bérgen\nOne\ntwo <b> 3 < 4\nthree')
  })

  it('reads any page in one pass, however broken', () => {
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (html) => typeof pageText(html) === 'string'))
    const hostile = [
      '<'.repeat(500_000),
      '<script'.repeat(75_000),
      '&#'.repeat(250_000),
      '<!--'.repeat(125_000),
      '<nav>'.repeat(100_000),
    ]
    for (const html of hostile) expect(pageText(html).length).toBeLessThanOrEqual(400_000)
  })
})
