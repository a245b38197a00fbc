import { describe, expect, it } from 'vitest'
import type { Body } from '../request/body.ts'
import { makeCode } from './make-code.ts'

const BASE = 'https://hearth.example/openai/v1'

function code(name: string, body: Partial<Body>): string {
  const whole = { model: 'm', messages: [], ...body }
  return makeCode(BASE, whole).find((example) => example.name === name)!.text
}

describe('makeCode', () => {
  it('quotes the body for curl so that nothing breaks out', () => {
    const text = code('curl', { model: `m'; rm -rf ~; echo '` })
    expect(text).toContain(`"model": "m'\\''; rm -rf ~; echo '\\''"`)
    expect(text.startsWith(`curl ${BASE}/chat/completions`)).toBe(true)
  })

  it('writes Python literals and quotes', () => {
    const text = code('Python', {
      model: 'm',
      temperature: 0.5,
      stream: true,
      tools: [],
      stop: ['"""', "'", '\\'],
      logit_bias: { 7: -1 },
    })
    expect(text).toContain('    stream=True,')
    expect(text).toContain('    tools=[],')
    expect(text).toContain(`        "\\"\\"\\"",\n        "'",\n        "\\\\",`)
    expect(text).toContain('        "7": -1,')
    expect(text).toContain('for chunk in stream:')
  })

  it('writes TypeScript with unquoted property names where possible', () => {
    const text = code('TypeScript', { stop: ['"model": 1'], logit_bias: { 7: -1 } })
    expect(text).toContain('  model: "m",')
    expect(text).toContain(String.raw`    "\"model\": 1"`)
    expect(text).toContain('    "7": -1')
    expect(text).toContain('console.log(completion.choices[0]?.message)')
  })

  it('escapes invisible characters in the syntax of each language', () => {
    const model = 'a\u202Eb\u{E0001}\u0007'
    expect(code('curl', { model })).toContain(String.raw`"a\u202eb\udb40\udc01\u0007"`)
    expect(code('TypeScript', { model })).toContain(String.raw`"a\u202eb\udb40\udc01\u0007"`)
    expect(code('Python', { model })).toContain(String.raw`"a\u202eb\U000e0001\u0007"`)
  })
})
