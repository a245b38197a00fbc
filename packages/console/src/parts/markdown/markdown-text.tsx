// Shows Markdown. Who wrote it doesn't matter: HTML stays text, and links and images are what the caller makes of them.

import { createElement, Fragment, memo, Suspense, type ComponentType, type ReactNode } from 'react'
import { lazyPart } from '../../lib/lazy-part.ts'
import { CodeBlock } from './code-block.tsx'
import type { FormulaSource } from './formulas.ts'
import type { MarkdownElement, MarkdownNode } from './markdown-tree.ts'
import { parseMarkdown, type MarkdownBlock } from './parse-markdown.ts'

const Formula = lazyPart(async () => (await import('./formula.tsx')).Formula)

export interface MarkdownParts {
  Link: ComponentType<{ address: string; children: ReactNode }>
  Image: ComponentType<{ address: string; alt: string }>
}

export function MarkdownText({ text, parts }: { text: string; parts: MarkdownParts }) {
  return parseMarkdown(text).map((block, index) => <Block key={index} block={block} parts={parts} />)
}

/** Only the last block of a growing text renders again. */
const Block = memo(
  function Block({ block: { source, nodes }, parts }: { block: MarkdownBlock; parts: MarkdownParts }) {
    return nodes ? <Nodes nodes={nodes} parts={parts} /> : <div className="model-text">{source}</div>
  },
  ({ block: one, parts }, { block: other, parts: otherParts }) =>
    one.source === other.source &&
    one.definitions === other.definitions &&
    (one.nodes === undefined) === (other.nodes === undefined) &&
    parts === otherParts,
)

function Nodes({ nodes, parts }: { nodes: readonly MarkdownNode[]; parts: MarkdownParts }): ReactNode {
  return nodes.map((node, index) => <Fragment key={index}>{showNode(node, parts)}</Fragment>)
}

function showNode(node: MarkdownNode, parts: MarkdownParts): ReactNode {
  if (typeof node === 'string') return node
  const { Link, Image } = parts
  switch (node.kind) {
    case 'element':
      return showElement(node, parts)
    case 'link':
      return (
        <Link address={node.address}>
          <Nodes nodes={node.children} parts={parts} />
        </Link>
      )
    case 'image':
      return <Image address={node.address} alt={node.alt} />
    case 'code':
      return <code>{node.text}</code>
    case 'code-block':
      return <CodeBlock text={node.text} language={node.language} />
    case 'check':
      return (
        <span role="img" aria-label={node.isDone ? 'done' : 'not done'}>
          {node.isDone ? '☑' : '☐'}
        </span>
      )
    case 'formula':
      return <AnyFormula tex={node.tex} isDisplay={node.isDisplay} />
    default:
      return node satisfies never
  }
}

/** All headings get the same level, below those of the page, because models skip levels. */
const HEADINGS: Record<string, string | undefined> = {
  h1: 'markdown-h1',
  h2: 'markdown-h2',
  h3: '',
  h4: '',
  h5: '',
  h6: '',
}

function showElement({ tag, align, start, isTasks, children }: MarkdownElement, parts: MarkdownParts): ReactNode {
  const inside = children.length === 0 ? undefined : <Nodes nodes={children} parts={parts} />
  const heading = HEADINGS[tag]
  if (heading !== undefined) return <h3 className={heading}>{inside}</h3>
  if (tag === 'table')
    return (
      <div className="markdown-table" tabIndex={0} role="region" aria-label="Table">
        <table className="border-collapse">{inside}</table>
      </div>
    )
  const className = isTasks ? 'contains-task-list' : undefined
  return createElement(tag, { className, start, style: align && { textAlign: align } }, inside)
}

function AnyFormula({ tex, isDisplay }: Omit<FormulaSource, 'source'>) {
  return (
    <Suspense fallback={<code>{tex}</code>}>
      <Formula tex={tex} isDisplay={isDisplay} />
    </Suspense>
  )
}
