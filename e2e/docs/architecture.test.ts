import { globSync, readFileSync } from 'node:fs'
import { describe, expect, it } from 'vitest'
import { ROOT } from './read-pages.ts'

const PAGES = [
  'ARCHITECTURE.md',
  ...globSync('packages/{gateway,device,hearth,command-line,seal,console}/README.md', { cwd: ROOT }),
]
const text = PAGES.map((path) => readFileSync(ROOT + path, 'utf8')).join('\n')
const sources = new Map(
  globSync('packages/*/src/**/*.{ts,tsx}', { cwd: ROOT }).map((path) => [path, readFileSync(ROOT + path, 'utf8')]),
)
/** Inside the code of a page: no blocks. */
const spans = [...text.replaceAll(/^```[^]*?^```/gm, '').matchAll(/`([^`]+)`(?: `([A-Za-z]+)`)?/g)]
const isPath = (span: string) => /^[a-z][a-z0-9.-]*(\/[a-z0-9.-]+)*\/?$/.test(span) && span.includes('/')
const isName = (span: string) => /^[a-z]+[A-Z][A-Za-z]*$|^[A-Z][a-z]+[A-Za-z]*$/.test(span)

function declares(source: string, name: string): boolean {
  return new RegExp(`\\b(function\\*?|class|interface|const|type) ${name}\\b|^  (async )?${name}[(<]`, 'm').test(source)
}

/** The file that a page means by a path without a package and without an ending. */
function findFile(path: string): string | undefined {
  return [...sources.keys()].find((file) => /^packages\/[^/]+\/src\/(.*)\.tsx?$/.exec(file)?.[1] === path)
}

function isThere(path: string): boolean {
  const folder = `/${path.replace(/\/$/, '')}/`
  return (
    findFile(path) !== undefined ||
    [...sources.keys()].some((file) => file.includes(folder) || file.endsWith(`/${path}.ts`))
  )
}

describe('ARCHITECTURE.md and the pages of packages', () => {
  it('names files and folders that exist', () => {
    const paths = spans.map(([, span]) => span!).filter((span) => isPath(span) && !/^(docs|packages)\//.test(span))
    expect(paths.length).toBeGreaterThan(50)
    expect(paths.filter((path) => !isThere(path))).toStrictEqual([])
  })

  it('names functions and classes that are in the files it says', () => {
    const named = spans.flatMap(([, path, name]) =>
      name && /^[a-z]/.test(path!) && findFile(path!) ? [[path!, name]] : [],
    )
    expect(named.length).toBeGreaterThan(20)
    expect(named.filter(([path, name]) => !declares(sources.get(findFile(path!)!)!, name!))).toStrictEqual([])
  })

  it('names nothing that is declared nowhere', () => {
    const names = spans.flatMap(([, span, name]) => [span!, ...(name ? [name] : [])]).filter(isName)
    const all = [...sources.values()].join('\n')
    expect(names.filter((name) => !declares(all, name))).toStrictEqual([])
  })
})
