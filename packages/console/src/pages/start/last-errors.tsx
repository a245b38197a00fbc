import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { failedRequests } from '../../api/queries/requests.ts'
import { Badge } from '../../parts/text/badge.tsx'
import { SealedMark } from '../../parts/model/sealed-mark.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import { Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { useSession } from '../../session/session.ts'

/** The latest requests that failed. */
export function LastErrors() {
  const { organization } = useSession()
  const query = useQuery(failedRequests(organization.id))
  return (
    <section className="card panel" aria-labelledby="last-errors">
      <header className="panel-head">
        <h2 id="last-errors">Last errors</h2>
        <Link to="/usage">All requests</Link>
      </header>
      <Loaded query={query} waiting={<Waiting lines={4} />}>
        {(failed) =>
          failed.length === 0 ? (
            <p className="panel-none">None of the latest requests failed.</p>
          ) : (
            <ul className="panel-list">
              {failed.map(({ id, at, code, status, model, key, isSealed }) => (
                <li key={id} className="error-line">
                  <span className="row">
                    <Badge tone="bad">{String(status)}</Badge>
                    <span className="error-code">{code}</span>
                    {isSealed && <SealedMark />}
                  </span>
                  <span className="soft small">
                    <Moment at={at} />
                  </span>
                  <span className="soft small error-about">
                    <Name text={model === '' ? 'Unknown model' : model} /> · <Name text={key.name} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}
