import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { describe, expect, it } from 'vitest'
import { findUnknown, PINNED } from './known-commands.ts'
import { readPages, readSpans, ROOT } from './read-pages.ts'

/** Joins a command that is written over several lines. */
function linesOf(text: string): string[] {
  return text.replaceAll(/\\\n\s*/g, '').split('\n')
}

describe.each(readPages())('$path', (page) => {
  it('names only commands and flags that exist', async () => {
    const lines = [...page.blocks.flatMap(({ text }) => linesOf(text)), ...readSpans(page)]
    const unknown: string[] = []
    for (const line of lines) {
      const found = await findUnknown(line)
      if (found !== undefined) unknown.push(`${found} in: ${line}`)
    }
    expect(unknown).toStrictEqual([])
  })
})

describe('what the programs print', () => {
  it('names only commands and flags that exist', async () => {
    const unknown: string[] = []
    let count = 0
    for (const path of globSync('packages/*/src/**/*.{ts,tsx}', {
      cwd: ROOT,
      exclude: ['**/*.test.*', '**/testing/**'],
    }))
      for (const line of printedCommands(readFileSync(ROOT + path, 'utf8'))) {
        count += 1
        const found = await findUnknown(line)
        if (found !== undefined) unknown.push(`${path}: ${found} in: ${line}`)
      }
    expect(unknown).toStrictEqual([])
    expect(count).toBeGreaterThan(100)
  })
})

/** Advice in the texts of a source file: what follows `run`, `with`, an arrow, a colon, a prompt or a quote. */
function printedCommands(source: string): string[] {
  const texts = source.replaceAll(/^\s*(?:\/\/|\/?\*).*$/gm, '')
  const advice =
    /(?:\b(?:[Rr]un|with|by|or|and)|→|:|\$|^) *['"`]?(hearth(?:-device|-seal)?(?! cannot)(?: [^\s'"`<>${}…,.;:?!()[\]]+)+)/gm
  return [...texts.matchAll(advice)].map(([, line = '']) => line)
}

describe('npx', () => {
  it('is named only for programs that this repository pins: any other name is whatever a stranger has published under it', () => {
    const files = execFileSync(
      'git',
      ['ls-files', '-z', '*.md', '*.ts', '*.tsx', '*.cjs', '*.html', '*.svg', '*.json'],
      {
        cwd: ROOT,
        encoding: 'utf8',
      },
    )
    const strange = files
      .split('\0')
      .filter((path) => path !== '' && basename(path) !== basename(import.meta.filename))
      .flatMap((path) =>
        [...readFileSync(ROOT + path, 'utf8').matchAll(/\bnpx (?:-\S+ )*([@\w][\w./-]*)/g)]
          .filter(([, program = '']) => !PINNED.has(program))
          .map(([text]) => `${path}: ${text}`),
      )
    expect(strange).toStrictEqual([])
  })
})

describe('the check itself', () => {
  it.each([
    ['hearth admin key create laptop', undefined],
    ['hearth admin key creat laptop', 'admin key creat'],
    ['hearth admin key create laptop --forever', 'admin key create --forever'],
    ['hearth logs --follow', undefined],
    ['hearth opne', 'hearth opne'],
    ['hearth open --prnt', 'hearth open --prnt'],
    ['hearth start --modle x', 'hearth start --modle'],
    ['hearth device strat', 'hearth-device strat'],
    ['npm run gatway', 'npm run gatway'],
    ['npm ci && npm start -- --modle x', 'hearth start --modle'],
    ['$ hearth-device models pull starter --as chat', undefined],
    ['hearth-device models pull starter --name chat', 'hearth-device models pull --name'],
    ['hearth-device strat', 'hearth-device strat'],
    ['HOST=0.0.0.0 npm exec --yes --package=x -- hearth-device-install x --tokn y', 'hearth-device-install --tokn'],
    ['docker compose up', undefined],
    ['npx vitest run', undefined],
    ['npx hearth status', 'npx hearth'],
  ])('%s', async (line, unknown) => {
    expect(await findUnknown(line)).toBe(unknown)
  })
})
