import { memo, type ComponentType, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from './code-block.tsx'

/** How documentation is shown whose links lead where `Link` says. Pictures are left out. */
export function docComponents(Link: ComponentType<{ href: string; children: ReactNode }>): Components {
  return {
    a: ({ href = '', children }) => <Link href={href}>{children}</Link>,
    img: () => null,
    table: ({ children }) => (
      <div className="markdown-table" tabIndex={0} role="region" aria-label="Table">
        <table className="border-collapse">{children}</table>
      </div>
    ),
    pre: CodeBlock,
  }
}

/** Markdown that we wrote ourselves. */
export const DocText = memo(function DocText({ text, components }: { text: string; components: Components }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  )
})
