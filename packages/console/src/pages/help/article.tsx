// A page of docs/, rendered here: links to other pages stay inside Help, and those to files of the repository become plain text.

import { Link, useLocation } from '@tanstack/react-router'
import { memo, useEffect, useMemo, type ReactNode } from 'react'
import ReactMarkdown, { type Components } from 'react-markdown'
import remarkGfm from 'remark-gfm'
import { CodeBlock } from '../playground/markdown/code-block.tsx'
import '../playground/markdown/markdown.css'
import { PAGES, type HelpPage } from './content.ts'
import type { Section } from './read-sections.ts'

export function Article({ page: { path, sections } }: { page: HelpPage }) {
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash])
  const [introduction, ...rest] = sections
  const components = useMemo(() => componentsFor(path), [path])
  return (
    <div className="help">
      <article className="help-article">
        {introduction && <Text text={introduction.text} components={components} />}
        {rest.map((section) => (
          <section key={section.id} id={section.id} className="help-section">
            <Heading section={section} />
            <Text text={section.text} components={components} />
          </section>
        ))}
      </article>
      {rest.length > 1 && <OnThisPage sections={rest} />}
    </div>
  )
}

function Heading({ section: { id, heading, level } }: { section: Section }) {
  const Level = level === 2 ? 'h2' : 'h3'
  return (
    <Level>
      <Link to="." hash={id}>
        {heading}
      </Link>
    </Level>
  )
}

function OnThisPage({ sections }: { sections: readonly Section[] }) {
  return (
    <nav className="help-contents" aria-label="On this page">
      <p className="small faint">On this page</p>
      <ul>
        {sections
          .filter(({ level }) => level <= 2)
          .map(({ id, heading }) => (
            <li key={id}>
              <Link to="." hash={id}>
                {heading}
              </Link>
            </li>
          ))}
      </ul>
    </nav>
  )
}

const Text = memo(function Text({ text, components }: { text: string; components: Components }) {
  return (
    <div className="markdown">
      <ReactMarkdown remarkPlugins={[remarkGfm]} components={components}>
        {text}
      </ReactMarkdown>
    </div>
  )
})

function componentsFor(path: string): Components {
  return {
    a: ({ href = '', children }) => (
      <DocLink href={href} path={path}>
        {children}
      </DocLink>
    ),
    img: () => null,
    table: ({ children }) => (
      <div className="markdown-table" tabIndex={0} role="region" aria-label="Table">
        <table>{children}</table>
      </div>
    ),
    pre: CodeBlock,
  }
}

function DocLink({ href, path, children }: { href: string; path: string; children?: ReactNode }) {
  if (/^(https?:|\/)/.test(href))
    return (
      <a href={href} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    )
  const { pathname, hash } = new URL(href, `http://docs/${path}.md`)
  const page = pathname.slice(1).replace(/\.md$/, '')
  if (!PAGES.has(page)) return children
  return (
    <Link to="/help/$" params={{ _splat: page }} hash={hash.slice(1)}>
      {children}
    </Link>
  )
}
