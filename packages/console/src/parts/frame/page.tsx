import type { ReactNode } from 'react'
import { useTitle } from '../../lib/use-title.ts'
import './page.css'

interface PageProps {
  title: string
  /** One sentence about the page. */
  about?: ReactNode
  /** Buttons to the right of the title. */
  actions?: ReactNode
  /** scroll: a centered column; wide: from edge to edge; fill: also fills the window's height and does its own scrolling. */
  shape?: 'scroll' | 'wide' | 'fill'
  children: ReactNode
}

/** The frame of every page inside the shell. Also sets the title of the browser tab. */
export function Page({ title, about, actions, shape = 'scroll', children }: PageProps) {
  useTitle(title)
  return (
    <div className={`page page-${shape}`}>
      <header className="page-head">
        <div className="page-title">
          <h1>{title}</h1>
          {about !== undefined && <p className="soft">{about}</p>}
        </div>
        {actions !== undefined && <div className="row page-actions">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a page with its own heading. */
export function Section({ title, about, children }: { title: string; about?: ReactNode; children: ReactNode }) {
  return (
    <section className="stack-small section">
      <header>
        <h2>{title}</h2>
        {about !== undefined && <p className="soft">{about}</p>}
      </header>
      {children}
    </section>
  )
}
