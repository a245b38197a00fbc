import { Link, useParams } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { FilterBar } from '../../parts/control/filter-bar.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Article } from './article.tsx'
import { GROUPS, PAGES } from './content.ts'
import { Results } from './results.tsx'
import './help.css'

const ABOUT = 'The documentation of this version. Works offline.'

export function HelpPage() {
  const { _splat: path = '' } = useParams({ strict: false })
  return <Help key={path} path={path} />
}

function Help({ path }: { path: string }) {
  const [typed, setTyped] = useState('')
  const sought = useDeferredValue(typed)
  const page = PAGES.get(path)
  return (
    <Page title={page?.title ?? 'Help'} about={page ? <Link to="/help">All help pages</Link> : ABOUT}>
      <FilterBar label="Search help" value={typed} onChange={setTyped} />
      {path !== '' && !page && <p className="card card-body soft">There is no help page of this name.</p>}
      {sought.trim() !== '' ? (
        <Results typed={sought} onOpen={() => setTyped('')} />
      ) : page ? (
        <Article page={page} />
      ) : (
        <Contents />
      )}
    </Page>
  )
}

function Contents() {
  return (
    <div className="help-groups">
      {GROUPS.map(([title, paths]) => (
        <nav key={title} className="card card-body stack-small" aria-label={title}>
          <h2>{title}</h2>
          <ul>
            {title === 'Use the API' && (
              <li>
                <Link to="/reference">API reference</Link>
              </li>
            )}
            {paths.map((path) => (
              <li key={path}>
                <Link to="/help/$" params={{ _splat: path }}>
                  {PAGES.get(path)?.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </div>
  )
}
