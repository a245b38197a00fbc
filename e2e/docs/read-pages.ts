// Reads the code blocks and links of the documentation.
//
// The word after a block's language sets what a test does with it:
//   run         runs it, with a gateway and a device
//   check       compares its subcommands and flags with those that the commands know
//   elsewhere   nothing, because it needs another machine, privileges or programs

import { globSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

export const ROOT = fileURLToPath(new URL('../../', import.meta.url))

/** Blocks in lists are indented. */
const BLOCK = /^( *)```(\S*)[ ]?(.*)\n([\s\S]*?)^\1```$/gm

export interface Page {
  path: string
  text: string
  blocks: Block[]
}

export interface Block {
  page: string
  line: number
  language: string
  mark: string
  text: string
}

export function readPages(): Page[] {
  const paths = [
    'README.md',
    'ARCHITECTURE.md',
    'CONTRIBUTING.md',
    ...globSync('packages/{gateway,device,hearth,command-line,seal,console}/README.md', { cwd: ROOT }),
    ...globSync(['docs/*.md', 'docs/{clients,decisions,pictures}/*.md'], { cwd: ROOT }),
  ]
  return paths.toSorted().map((path) => {
    const text = readFileSync(ROOT + path, 'utf8')
    return { path, text, blocks: readBlocks(path, text) }
  })
}

function readBlocks(page: string, text: string): Block[] {
  return [...text.matchAll(BLOCK)].map((match) => {
    const [, indent = '', language = '', mark = '', code = ''] = match
    const line = text.slice(0, match.index).split('\n').length
    return { page, line, language, mark, text: code.replaceAll(`\n${indent}`, '\n').slice(indent.length) }
  })
}

/** Code inside sentences and tables. */
export function readSpans({ text }: Page): string[] {
  const prose = text.replaceAll(BLOCK, '')
  return [...prose.matchAll(/`([^`\n]+)`/g)].map(([, code]) => code!.replaceAll('\\|', '|'))
}
