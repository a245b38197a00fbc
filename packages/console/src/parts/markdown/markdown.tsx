// Renders model output as Markdown. The output may be hostile: HTML stays text, images are never loaded, and links ask before they open.
// Loaded only when there is a response to show.

import { memo, Suspense } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { lazyPart } from '../../lib/lazy-part.ts'
import { CodeBlock } from './code-block.tsx'
import { markFormulas, readFormula } from './formulas.ts'
import { OutsideLink } from './outside-link.tsx'
import { splitBlocks } from './split-blocks.ts'

const Formula = lazyPart(async () => (await import('./formula.tsx')).Formula)

/** Longer texts stay split into blocks, at the price that footnotes and link definitions in other blocks are not found. */
const MOST_AT_ONCE = 100_000

export function Markdown({ text, isRunning }: { text: string; isRunning: boolean }) {
  const marked = markFormulas(text)
  const blocks = isRunning || text.length > MOST_AT_ONCE ? splitBlocks(marked) : [marked]
  return (
    <div className={`markdown ${isRunning ? 'is-running' : ''}`} dir="auto">
      {blocks.map((block, index) => (
        <Block key={index} text={block} />
      ))}
    </div>
  )
}

const Block = memo(function Block({ text }: { text: string }) {
  return (
    <ReactMarkdown remarkPlugins={[remarkGfm]} components={COMPONENTS}>
      {text}
    </ReactMarkdown>
  )
})

// All headings get the same level, below those of the page, because models skip levels. Ids are dropped, because two responses could share one.
const COMPONENTS: Components = {
  h1: ({ children }) => <h3 className="markdown-h1">{children}</h3>,
  h2: ({ children }) => <h3 className="markdown-h2">{children}</h3>,
  h3: ({ children }) => <h3>{children}</h3>,
  h4: ({ children }) => <h3>{children}</h3>,
  h5: ({ children }) => <h3>{children}</h3>,
  h6: ({ children }) => <h3>{children}</h3>,
  li: ({ children }) => <li>{children}</li>,
  sup: ({ children }) => <sup>{children}</sup>,
  a: ({ href, children }) => <OutsideLink address={href ?? ''}>{children}</OutsideLink>,
  img: ({ src, alt }) => <ImageAsText {...(typeof src === 'string' && { src })} {...(alt !== undefined && { alt })} />,
  input: ({ checked }) => (
    <span role="img" aria-label={checked === true ? 'done' : 'not done'}>
      {checked === true ? '☑' : '☐'}
    </span>
  ),
  table: ({ children }) => (
    <div className="markdown-table" tabIndex={0} role="region" aria-label="Table">
      <table className="border-collapse">{children}</table>
    </div>
  ),
  pre: CodeBlock,
  code: ({ children }) => <InlineCode text={typeof children === 'string' ? children : ''} />,
}

/** Loading an image would tell its server that someone reads the response, along with anything the model put into the URL. */
function ImageAsText({ src, alt }: { src?: string; alt?: string }) {
  return (
    <span className="bg-sunken border border-dashed border-line-strong rounded-[5px] px-4">
      Image{alt ? `: ${alt}` : ''} <span className="text-faint">({src || 'no URL'})</span>
    </span>
  )
}

function InlineCode({ text }: { text: string }) {
  const formula = readFormula(text)
  const plain = <code>{formula?.tex ?? text}</code>
  return formula === undefined ? (
    plain
  ) : (
    <Suspense fallback={plain}>
      <Formula {...formula} />
    </Suspense>
  )
}
