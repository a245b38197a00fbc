import { expect, it } from 'vitest'
import { findHelp } from './search.ts'

it.each([
  ['langchain', 'Connect LangChain'],
  ['open webui', 'Connect Open WebUI'],
  ['vs code', 'Connect VS Code with'],
  ['roles', 'Roles'],
  ['deleting account', 'Deleting your account'],
  ['unknown_url', ''],
])('finds %s', (typed, first) => {
  const [best] = findHelp(typed)
  expect(best?.section.heading).toContain(first)
})

it('shows the words around a match, and finds nothing for words that are nowhere together', () => {
  const [found] = findHelp('predict_and_call')
  expect(found?.page.path).toBe('clients/llamaindex')
  expect(found?.excerpt).toContain('predict_and_call')
  expect(findHelp('langchain qqqq')).toEqual([])
  expect(findHelp('  ')).toEqual([])
})
