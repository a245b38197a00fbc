// What Markdown becomes before it is shown: plain data, at most so deep and so large.

import type { Token } from 'markdown-it'
import { restoreFormulas, splitFormulas, type FormulaSource } from './formulas.ts'

export type MarkdownNode =
  | string
  | MarkdownElement
  | { kind: 'link'; address: string; children: MarkdownNode[] }
  | { kind: 'image'; address: string; alt: string }
  | { kind: 'code'; text: string }
  | { kind: 'code-block'; text: string; language: string | undefined }
  | { kind: 'check'; isDone: boolean }
  | ({ kind: 'formula' } & FormulaSource)

/** What HTML has an element for. */
export interface MarkdownElement {
  kind: 'element'
  tag: string
  align?: string
  /** The number of the first item of a list. */
  start?: number
  /** A list with check boxes. */
  isTasks?: boolean
  children: MarkdownNode[]
}

type Parent = Extract<MarkdownNode, { children: MarkdownNode[] }>

/** What the nodes of a text may cost together. A page of a book costs about 200. */
export const MOST_NODES = 10_000
/** Quotes, lists and their items. */
export const MOST_BLOCK_LEVELS = 40
/** Those, and the emphasis and links inside them. */
export const MOST_LEVELS = 60

/** In nodes: a block of code has a heading and a button. */
const CODE_BLOCK_COST = 20

/** Grows with the tokens of one block of the text. */
export class MarkdownTree {
  readonly nodes: MarkdownNode[] = []
  nodesLeft: number
  readonly #formulas: readonly FormulaSource[]
  /** What the next node is inside of, outermost first. */
  readonly #open: Parent[] = []

  constructor(formulas: readonly FormulaSource[], nodesLeft: number) {
    this.#formulas = formulas
    this.nodesLeft = nodesLeft
  }

  read(tokens: readonly Token[]): 'whole' | 'too-deep' | 'too-large' {
    for (const [index, token] of tokens.entries()) {
      if (token.level > MOST_BLOCK_LEVELS) return 'too-deep'
      const isStartOfItem = tokens[index - 2]?.type === 'list_item_open'
      if (token.type === 'inline') this.#readInline(token.children ?? [], isStartOfItem)
      else this.#readToken(token)
      if (this.nodesLeft < 0) return 'too-large'
    }
    return 'whole'
  }

  get #parent(): Parent | undefined {
    return this.#open.at(-1)
  }

  #readInline(tokens: readonly Token[], isStartOfItem: boolean): void {
    if (isStartOfItem && tokens[0]) this.#readCheck(tokens[0])
    for (const token of tokens) this.#readToken(token)
  }

  #readToken(token: Token): void {
    if (token.nesting === 1) this.#begin(token)
    else if (token.nesting === -1) this.#open.pop()
    else this.#readLeaf(token)
  }

  /** What is too deep to be shown itself leaves its children to the parent. */
  #begin(token: Token): void {
    const isShown = !token.hidden && this.#open.length < MOST_LEVELS
    this.#open.push(isShown || this.#parent === undefined ? this.#add(this.#makeParent(token)) : this.#parent)
  }

  #makeParent({ type, tag, attrs }: Token): Parent {
    const { href, start, style } = Object.fromEntries(attrs ?? [])
    if (type === 'link_open') return { kind: 'link', address: this.#restore(String(href)), children: [] }
    const [, align] = /^text-align:(\w+)$/.exec(String(style)) ?? []
    return {
      kind: 'element',
      tag,
      ...(align && { align }),
      ...(start !== undefined && { start: Number(start) }),
      children: [],
    }
  }

  #readLeaf({ type, tag, content, info, children, attrs }: Token): void {
    switch (type) {
      case 'text':
        this.#addText(content)
        break
      case 'softbreak':
        this.#add('\n')
        break
      case 'code_inline':
        this.#add({ kind: 'code', text: this.#restore(content) })
        break
      case 'fence':
      case 'code_block':
        this.#addCodeBlock(this.#restore(content), this.#restore(info))
        break
      case 'image':
        this.#addImage(String(attrs?.find(([name]) => name === 'src')?.[1]), children ?? [])
        break
      default:
        this.#add({ kind: 'element', tag, children: content === '' ? [] : [content] }, 2)
    }
  }

  #addText(text: string): void {
    for (const piece of splitFormulas(text, this.#formulas))
      if (typeof piece !== 'string') this.#add({ kind: 'formula', ...piece }, costOf(piece))
      else if (piece !== '') this.#add(piece)
  }

  #addCodeBlock(text: string, info: string): void {
    const [language] = info.trim().split(/[\s,]/, 1)
    this.#add({ kind: 'code-block', text: text.replace(/\n$/, ''), language: language || undefined }, CODE_BLOCK_COST)
  }

  #addImage(address: string, alt: readonly Token[]): void {
    const text = alt.map(({ type, content }) => (type === 'softbreak' ? '\n' : content)).join('')
    this.#add({ kind: 'image', address: this.#restore(address), alt: this.#restore(text) })
  }

  #add<Node extends MarkdownNode>(node: Node, cost = 1): Node {
    this.nodesLeft -= cost
    const siblings = this.#parent?.children ?? this.nodes
    siblings.push(node)
    return node
  }

  /** `- [x] done` */
  #readCheck(first: Token): void {
    const [mark] = (first.type === 'text' && /^\[[ xX]\](?=\s)/.exec(first.content)) || []
    if (mark === undefined) return
    first.content = first.content.slice(mark.length)
    this.#add({ kind: 'check', isDone: mark !== '[ ]' })
    const list = this.#open.findLast((node) => node.kind === 'element' && /^[uo]l$/.test(node.tag))
    if (list?.kind === 'element') list.isTasks = true
  }

  #restore(text: string): string {
    return restoreFormulas(text, this.#formulas)
  }
}

/** A formula has several elements for each character, and many for each cell of a matrix. */
function costOf({ tex }: FormulaSource): number {
  return 5 + tex.length / 4 + 8 * (tex.match(/&|\\\\/g)?.length ?? 0)
}
