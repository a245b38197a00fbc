import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GROUPS, PAGES } from './content.ts'
import { readSections } from './read-sections.ts'
import { findHelp } from './search.ts'

const DOCS = new URL('../../../../../docs/', import.meta.url)

it('has every page of docs/ but those about the code, each once and with a title', () => {
  const files = globSync('{*,clients/*}.md', { cwd: DOCS }).map((file) => file.replaceAll('\\', '/').replace('.md', ''))
  const listed = GROUPS.flatMap(([, paths]) => paths)
  expect(listed.toSorted()).toStrictEqual(
    files.filter((file) => !/^(model-list|protocol|words)$/.test(file)).toSorted(),
  )
  expect([...PAGES.values()].filter(({ sections }) => sections[0]?.level !== 1)).toEqual([])
})

it('splits a page at its headings, but not inside code, and names anchors as GitHub does', () => {
  const text =
    "# Page\nIntro\n## What's `new`?\n```sh\n# no heading\n```\n## Same\na\n<!-- printed: x -->\n### Same\nb\n"
  expect(readSections(text)).toStrictEqual([
    { id: 'page', heading: 'Page', level: 1, text: 'Intro\n' },
    { id: 'whats-new', heading: "What's new?", level: 2, text: '```sh\n# no heading\n```\n' },
    { id: 'same', heading: 'Same', level: 2, text: 'a\n' },
    { id: 'same-1', heading: 'Same', level: 3, text: 'b\n\n' },
  ])
})

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
