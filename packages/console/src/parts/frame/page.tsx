import type { ReactNode } from 'react'
import { useTitle } from '../../lib/use-title.ts'

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

const SHAPES = {
  scroll: 'grid content-start gap-16 phone:gap-10',
  wide: 'page-wide grid content-start gap-16 phone:gap-10',
  fill: 'page-fill flex flex-col gap-10 min-h-0',
}

/** The frame of every page inside the shell. Also sets the title of the browser tab. */
export function Page({ title, about, actions, shape = 'scroll', children }: PageProps) {
  useTitle(title)
  return (
    <div className={`page min-w-0 ${SHAPES[shape]}`}>
      {/* On a phone, title and actions share a line, so that the list starts high on the screen. */}
      <header className="page-head flex flex-wrap items-end justify-between gap-x-15 gap-y-7.5 phone:items-center phone:gap-5">
        <div className="grid gap-2 flex-[1_1_24rem] max-w-460 phone:contents">
          <h1 className="phone:flex-auto">{title}</h1>
          {about !== undefined && (
            <p
              className={`text-soft phone:order-1 phone:basis-full phone:text-small ${shape === 'fill' ? 'tablet:hidden' : ''}`}
            >
              {about}
            </p>
          )}
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
    <section className="stack-small mt-10">
      <header>
        <h2>{title}</h2>
        {about !== undefined && <p className="text-soft">{about}</p>}
      </header>
      {children}
    </section>
  )
}
