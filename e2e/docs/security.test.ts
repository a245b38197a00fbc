// Every statement about what somebody can't do names a test that shows it.

import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { ROOT } from './read-pages.ts'

const page = readFileSync(`${ROOT}docs/security.md`, 'utf8')
const claims = page.slice(page.indexOf('## Who can do what'), page.indexOf('## Where content goes'))
const rows = [...claims.matchAll(/^\| (?!Can't|-)([^|]+?) +\| (.+?) +\|$/gm)].map(([, claim = '', evidence = '']) => ({
  claim,
  tests: [...evidence.matchAll(/\[([^\]]+)\]\(\.\.\/([^)]+)\)/g)].map(([, title = '', file = '']) => ({ title, file })),
}))

/** By its rule, or by words of its title. */
function hasTest(text: string, title: string): boolean {
  const isRule = /^[A-Z]+\d+[a-z]?$/.test(title)
  return [...text.matchAll(/^.*\b(?:it|describe|test)\b.*$|^\s*['"`].*$|^.*\]\)\(.*$/gm)].some(([line]) =>
    line.includes(isRule ? `[${title}]` : title),
  )
}

describe("docs/security.md says what somebody can't do", () => {
  it('about every actor', () => {
    expect(rows.length).toBeGreaterThan(25)
  })

  it.each(rows)('and names a test: $claim', ({ tests }) => {
    expect(tests).not.toStrictEqual([])
    for (const { title, file } of tests) {
      expect(existsSync(join(ROOT, file)), file).toBe(true)
      expect(hasTest(readFileSync(join(ROOT, file), 'utf8'), title), `${title} in ${file}`).toBe(true)
    }
  })
})
