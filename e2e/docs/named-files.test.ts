import { existsSync, globSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { readPages, readSpans, ROOT, type Page } from './read-pages.ts'

const files = globSync('{packages,e2e,scripts,bench,truth,deploy,docs}/**', {
  cwd: ROOT,
  exclude: (path) => path.includes('node_modules'),
}).map((path) => `/${path}`)

/** Spans that look like files and aren't. */
const NO_FILES = new Set(['text/event-stream', 'owner/name', 'hf.co/owner/name'])
const isFile = (span: string) => /^\.?[a-z][a-z0-9.-]*(\/[a-z0-9.-]+)+\/?$|^[a-z][a-z0-9.-]*\.tsx?$/.test(span)
/** A file with any name, such as `x.test.ts`. */
const isPattern = (span: string) => span.startsWith('x.')

/** Pages leave out the package and the ending where the rest says enough. */
function isThere(span: string): boolean {
  const path = `/${span.replace(/\/$/, '')}`
  return existsSync(ROOT + span) || files.some((file) => file.endsWith(path) || file.endsWith(`${path}.ts`))
}

function missingFiles(page: Page): string[] {
  const named = readSpans(page).filter((span) => isFile(span) && !isPattern(span) && !NO_FILES.has(span))
  return named.filter((span) => !isThere(span))
}

/** Pages about the past name files that no longer exist. */
const isPast = ({ text }: Page) => /^Replaced by /m.test(text)

describe.each(readPages().filter((page) => !isPast(page)))('$path', (page) => {
  it('names only files that exist', () => {
    expect(missingFiles(page)).toStrictEqual([])
  })
})

describe('the check itself', () => {
  it('finds files that are missing', () => {
    const text = '`e2e/docs/read-pages.ts`, `docs/read-pages`, `read-pages.ts`, `docs/read-books.ts`, `scripts/books/`'
    expect(missingFiles({ path: '', text, blocks: [] })).toStrictEqual(['docs/read-books.ts', 'scripts/books/'])
  })
})
