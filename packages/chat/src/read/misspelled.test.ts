import { describe, expect, it } from 'vitest'
import { describeMisspelled } from './misspelled.ts'

describe('a field that looks mistyped', () => {
  it.each([
    ['temprature', 'temperature'],
    ['temparature', 'temperature'],
    ['mesages', 'messages'],
    ['messagse', 'messages'],
    ['maxTokens', 'max_tokens'],
    ['max_token', 'max_tokens'],
    ['Stream', 'stream'],
    ['toolChoice', 'tool_choice'],
  ])('is named with the field that was meant: %s', (name, meant) => {
    expect(describeMisspelled({ [name]: 1 })).toBe(
      ` You sent '${name}', which is not a known field. Did you mean '${meant}'?`,
    )
  })

  it.each(['top_k', 'min_p', 'repetition_penalty', 'extra', 'constructor', 'x_n', 'x'.repeat(1_000), ''])(
    'is none that other services have, and none that is far from ours: %s',
    (name) => {
      expect(describeMisspelled({ [name]: 1 })).toBe('')
    },
  )

  it('is none if the right one was sent too', () => {
    expect(describeMisspelled({ temprature: 1, temperature: 1 })).toBe('')
  })

  it('is not looked for in a body with very many fields', () => {
    const fields = Object.fromEntries(Array.from({ length: 64 }, (_, index) => [`field_${index}`, 1]))
    expect(describeMisspelled({ ...fields, temprature: 1 })).toBe('')
  })
})
