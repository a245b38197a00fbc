import { Link, useParams } from '@tanstack/react-router'
import { useDeferredValue, useState } from 'react'
import { FilterBar } from '../../parts/control/filter-bar.tsx'
import { Problem, Skeleton } from '../../parts/feedback/states.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { useApiPages } from './api/use-api-pages.ts'
import { Article } from './article.tsx'
import { GROUPS, PAGES, type HelpDocument } from './content.ts'
import { Results } from './results.tsx'
import notices from '../../../../../THIRD-PARTY-NOTICES.txt?url'

const ABOUT = 'The documentation of this version. Works offline.'

export function HelpPage() {
  const { _splat: path = '' } = useParams({ strict: false })
  return <Help key={path} path={path} />
}

function Help({ path }: { path: string }) {
  const [typed, setTyped] = useState('')
  const sought = useDeferredValue(typed)
  const { pages, problem } = useApiPages()
  const page = PAGES.get(path) ?? pages.find((one) => one.path === path)
  const isComing = path.startsWith('api/') && pages.length === 0
  return (
    <Page title={page?.title ?? 'Help'} about={page ? <Link to="/help">All help pages</Link> : ABOUT}>
      <FilterBar label="Search help" value={typed} onChange={setTyped} />
      {isComing && (problem ? <Problem error={problem} /> : <Skeleton lines={14} />)}
      {path !== '' && !page && !isComing && (
        <p className="card card-body text-soft">There is no help page of this name.</p>
      )}
      {sought.trim() !== '' ? (
        <Results typed={sought} pages={pages} onOpen={() => setTyped('')} />
      ) : page ? (
        <Article page={page} />
      ) : (
        !isComing && <Contents apis={pages} />
      )}
      {path === '' && (
        <a href={notices} target="_blank" rel="noreferrer">
          Open-source licenses
        </a>
      )}
    </Page>
  )
}

function Contents({ apis }: { apis: readonly HelpDocument[] }) {
  const groups = GROUPS.map(([title, paths]) => [title, paths.flatMap((path) => PAGES.get(path) ?? [])] as const)
  return (
    <div className="columns-[17rem] gap-10">
      {[...groups, ['API reference', apis] as const].map(([title, pages]) => (
        <nav key={title} className="card card-body stack-small mb-10 break-inside-avoid" aria-label={title}>
          <h2>{title}</h2>
          <ul className="grid gap-4">
            {pages.map((page) => (
              <li key={page.path}>
                <Link to="/help/$" params={{ _splat: page.path }}>
                  {page.title}
                </Link>
              </li>
            ))}
          </ul>
        </nav>
      ))}
    </div>
  )
}
