import { useEffect, type ReactNode } from 'react'
import './page.css'

interface PageProps {
  title: string
  /** One sentence on what the page is for. */
  about?: ReactNode
  /** Buttons at the right of the title. */
  actions?: ReactNode
  children: ReactNode
}

/** The frame of every page inside the shell; also names the browser's tab. */
export function Page({ title, about, actions, children }: PageProps) {
  useEffect(() => {
    document.title = `${title} · Hearth`
  }, [title])
  return (
    <div className="page">
      <header className="page-head">
        <div className="page-title">
          <h1>{title}</h1>
          {about !== undefined && <p className="soft">{about}</p>}
        </div>
        {actions !== undefined && <div className="row">{actions}</div>}
      </header>
      {children}
    </div>
  )
}

/** A part of a page with a heading of its own. */
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
