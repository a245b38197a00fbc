// Reads Markdown in a time that grows with its length only, whatever the text is. What is nested deeper than anyone writes, and what is left
// when the limits are reached, stays plain text.

import MarkdownIt, { type Env, type Token } from 'markdown-it'
import { footnotes, notesIn } from './footnotes.ts'
import { markFormulas, restoreFormulas } from './formulas.ts'
import { MarkdownTree, MOST_BLOCK_LEVELS, MOST_NODES, type MarkdownNode } from './markdown-tree.ts'

/** A paragraph, a list, a table. The same source with the same definitions gives the same nodes. */
export interface MarkdownBlock {
  source: string
  /** How many link targets and footnotes the whole text defines. */
  definitions: number
  /** Absent if the source is shown as plain text. */
  nodes?: MarkdownNode[]
}

/** Longer texts go on as plain text. */
export const MOST_CHARACTERS = 100_000

const parser = new MarkdownIt({ linkify: true, maxNesting: MOST_BLOCK_LEVELS + 2 }).use(footnotes)
// Whoever shows a link decides where it may lead.
parser.validateLink = () => true
parser.normalizeLink = (address) => address
parser.normalizeLinkText = (text) => text
parser.linkify.set({ fuzzyEmail: false })
for (const schema of ['//', 'ftp:', 'mailto:']) parser.linkify.add(schema, null)
parser.linkify.add('www.', {
  validate: (text, start, { re }) => {
    const host = re.get_relative_proto_validator()
    host.lastIndex = start
    return host.exec(text)?.[0].length ?? 0
  },
  normalize: (match) => {
    match.url = `http://${match.url}`
  },
})

export function parseMarkdown(text: string): MarkdownBlock[] {
  const [head, tail] = cutAt(MOST_CHARACTERS, text.replaceAll(/\r\n?/g, '\n'))
  const { marked, formulas } = markFormulas(head)
  const env: Env = {}
  const all = splitTokens(parser.parse(marked, env))
  const definitions = Object.keys(env.references ?? {}).length + notesIn(env).size
  const lines = marked.split('\n')
  const sourceOf = (from: number, to?: number) => restoreFormulas(lines.slice(from, to).join('\n'), formulas)
  const blocks: MarkdownBlock[] = []
  let nodesLeft = MOST_NODES
  for (const { from, to, tokens } of all) {
    const tree = new MarkdownTree(formulas, nodesLeft)
    const outcome = tree.read(tokens)
    if (outcome === 'too-large') return [...blocks, { source: sourceOf(from) + tail, definitions }]
    nodesLeft = tree.nodesLeft
    blocks.push({ source: sourceOf(from, to), definitions, ...(outcome === 'whole' && { nodes: tree.nodes }) })
  }
  return tail === '' ? blocks : [...blocks, { source: tail, definitions }]
}

/** At the end of a line, if there is one. */
function cutAt(most: number, text: string): [head: string, tail: string] {
  if (text.length <= most) return [text, '']
  const end = text.lastIndexOf('\n', most - 1) + 1 || most
  return [text.slice(0, end), text.slice(end)]
}

interface TopLevel {
  /** Lines. */
  from: number
  to: number
  tokens: Token[]
}

function splitTokens(tokens: readonly Token[]): TopLevel[] {
  const all: TopLevel[] = []
  let level = 0
  for (const token of tokens) {
    const [from, to] = token.map ?? [0, 0]
    if (level === 0) all.push({ from, to, tokens: [] })
    all.at(-1)?.tokens.push(token)
    level += token.nesting
  }
  return all
}
