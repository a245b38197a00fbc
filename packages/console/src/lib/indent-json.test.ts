import { expect, it } from 'vitest'
import { indentJson } from './indent-json.ts'

it('indents JSON', () => {
  expect(indentJson('{"a":[1]}')).toBe('{\n  "a": [\n    1\n  ]\n}')
})

it.each(['{"a":', '', `${'['.repeat(4_000)}${']'.repeat(4_000)}`])('leaves %j as it is', (text) => {
  expect(indentJson(text)).toBe(text)
})
