import { expect, it } from 'vitest'
import { readSections } from './read-sections.ts'

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
