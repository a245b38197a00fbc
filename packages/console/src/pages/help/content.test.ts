import { globSync } from 'node:fs'
import { expect, it } from 'vitest'
import { GROUPS, PAGES } from './content.ts'

const DOCS = new URL('../../../../../docs/', import.meta.url)

it('has every page of docs/ but those about the code, each once and with a title', () => {
  const files = globSync('{*,clients/*}.md', { cwd: DOCS }).map((file) => file.replaceAll('\\', '/').replace('.md', ''))
  const listed = GROUPS.flatMap(([, paths]) => paths)
  expect(listed.toSorted()).toStrictEqual(
    files.filter((file) => !/^(model-list|protocol|words)$/.test(file)).toSorted(),
  )
  expect([...PAGES.values()].filter(({ sections }) => sections[0]?.level !== 1)).toEqual([])
})
