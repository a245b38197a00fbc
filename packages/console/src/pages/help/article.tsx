// A page of docs/, rendered here: links to other pages stay inside Help, and those to files of the repository become plain text.

import { Link, useLocation } from '@tanstack/react-router'
import { useEffect, useMemo, type ReactNode } from 'react'
import { DocText } from '../../parts/markdown/doc-text.tsx'
import type { MarkdownParts } from '../../parts/markdown/markdown-text.tsx'
import { useRead } from '../../session/use-read.ts'
import { PAGES, type HelpDocument } from './content.ts'

/** The address that examples use, and the tests that run them. */
const EXAMPLE_BASE = 'http://127.0.0.1:8080/openai/v1'

export function Article({ page: { path, sections } }: { page: HelpDocument }) {
  const hash = useLocation({ select: (location) => location.hash })
  useEffect(() => {
    if (hash !== '') document.getElementById(hash)?.scrollIntoView()
  }, [hash])
  const [introduction, ...rest] = sections
  const parts = useMemo(() => partsFor(path), [path])
  const baseUrl = useRead('/overview').data?.baseUrl ?? EXAMPLE_BASE
  const show = (text: string) => <DocText text={text.replaceAll(EXAMPLE_BASE, baseUrl)} parts={parts} />
  return (
    <div className="grid grid-cols-[minmax(0,1fr)_12rem] gap-20 items-start max-[70rem]:grid-cols-1">
      <article className="grid min-w-0 gap-20 [&_:is(th,td)]:min-w-60 [&_:is(th,td)]:wrap-break-word">
        {introduction && show(introduction.text)}
        {rest.map(({ id, heading, level, text }) => {
          const Level = level === 2 ? 'h2' : 'h3'
          return (
            <section
              key={id}
              id={id}
              className="grid gap-7.5 min-w-0 scroll-mt-40 [&>:is(h2,h3)>a]:text-inherit [&>:is(h2,h3)>a]:no-underline"
            >
              <Level>
                <Link to="." hash={id}>
                  {heading}
                </Link>
              </Level>
              {show(text)}
            </section>
          )
        })}
      </article>
      {rest.length > 1 && (
        <nav
          className="sticky top-15 grid gap-5 max-h-[calc(100dvh-3rem)] overflow-y-auto text-small max-[70rem]:hidden"
          aria-label="On this page"
        >
          <p className="text-small text-faint">On this page</p>
          <ul className="grid gap-4">
            {rest
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
      )}
    </div>
  )
}

/** Pictures are left out. */
function partsFor(path: string): MarkdownParts {
  return { Link: ({ address, children }) => <DocLink {...{ path, address, children }} />, Image: () => null }
}

function DocLink({ path, address, children }: { path: string; address: string; children: ReactNode }) {
  if (/^(https?:|\/)/.test(address))
    return (
      <a href={address} target="_blank" rel="noopener noreferrer">
        {children}
      </a>
    )
  const { pathname, hash } = new URL(address, `http://docs/${path}.md`)
  const page = pathname.slice(1).replace(/\.md$/, '')
  if (!PAGES.has(page)) return children
  return (
    <Link to="/help/$" params={{ _splat: page }} hash={hash.slice(1)}>
      {children}
    </Link>
  )
}
