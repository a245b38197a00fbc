import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, it } from 'vitest'
import { parse } from 'yaml'
import { readPages, ROOT } from './read-pages.ts'

const pages = readPages()
const MARKS = new Set(['run', 'check', 'elsewhere'])

function headings(text: string): Set<string> {
  const titles = [...text.matchAll(/^#+ (.+)$/gm)].map(([, title]) => title!.toLowerCase())
  return new Set(titles.map((title) => title.replaceAll(/[^\p{L}\p{N} _-]/gu, '').replaceAll(' ', '-')))
}

describe.each(pages)('$path', ({ path, text, blocks }) => {
  it('has links that work', () => {
    const links = [...text.matchAll(/\]\(([^)\s]+)\)|src(?:set)?="([^"]+)"/g)].map(([, link, image]) => link ?? image!)
    const dead = links
      .filter((link) => !/^[a-z]+:/.test(link))
      .filter((link) => {
        const [file, anchor] = link.split('#')
        const target = file ? join(path, '..', file) : path
        if (!existsSync(join(ROOT, target))) return true
        const page = pages.find((one) => one.path === target)
        return anchor !== undefined && (page === undefined || !headings(page.text).has(anchor))
      })
    expect(dead).toStrictEqual([])
  })

  it('has code that parses', () => {
    for (const { language, text: code } of blocks) {
      if (language === 'json') JSON.parse(code)
      if (language === 'yaml') expect(parse(code, { strict: true })).toBeTypeOf('object')
    }
  })

  it('marks every command with what a test does with it', () => {
    // The README has no marks: CI and every first-time visitor run its two commands.
    const scripts = blocks.filter(({ language }) => ['sh', 'js', 'python'].includes(language))
    const unmarked = scripts.filter(({ mark }) => path !== 'README.md' && !MARKS.has(mark))
    expect(unmarked.map(({ line }) => `${path}:${line}`)).toStrictEqual([])
  })
})

it('the documentation has no page that the README does not lead to', () => {
  const reached = new Set(['README.md'])
  for (const path of reached) {
    const links = pages.find((page) => page.path === path)?.text.matchAll(/\]\(([^)\s#]+)/g) ?? []
    for (const [, link] of links) reached.add(join(path, '..', link!))
  }
  expect(pages.map(({ path }) => path).filter((path) => !reached.has(path))).toStrictEqual([])
})
