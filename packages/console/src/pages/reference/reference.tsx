import { plural } from '../../lib/format.ts'
import { Code } from '../../parts/code/copy-button.tsx'
import type { Description, Operation } from './description.ts'
import { DescriptionContext } from './description-context.ts'
import type { Known } from './make-curl.ts'
import { MethodBadge, OperationView } from './operation-view.tsx'
import './reference.css'

interface ReferenceProps {
  /** The prefix of the anchors. */
  name: string
  description: Description
  /** URL of the OpenAPI description. */
  source: string
  baseUrl: string
  /** Values for the examples. */
  known: Known
  operations: readonly Operation[]
  isFiltered: boolean
}

export function Reference({ name, description, source, baseUrl, known, operations, isFiltered }: ReferenceProps) {
  const groups = [...Map.groupBy(operations, ({ tag }) => tag)]
  return (
    <DescriptionContext value={description}>
      <div className="reference">
        <Contents name={name} groups={groups} />
        <div className="reference-main">
          {!isFiltered && <Introduction description={description} source={source} baseUrl={baseUrl} />}
          <p className="unseen" role="status">
            {isFiltered ? `${plural(operations.length, 'operation')} found` : ''}
          </p>
          {operations.length === 0 && <p className="card card-body soft">No operation matches this filter.</p>}
          {groups.map(([tag, own]) => (
            <section key={tag} className="stack" aria-label={tag}>
              <h2>{tag}</h2>
              {own.map((operation) => (
                <OperationView key={operation.operationId} {...{ name, operation, baseUrl, known }} />
              ))}
            </section>
          ))}
        </div>
      </div>
    </DescriptionContext>
  )
}

function Introduction({ description, source, baseUrl }: Pick<ReferenceProps, 'description' | 'source' | 'baseUrl'>) {
  return (
    <section className="card card-body stack" aria-label="Introduction">
      <p>{description.info.description}</p>
      <Code text={baseUrl} label="Base URL" />
      <p className="soft small">
        Download the <a href={source}>OpenAPI description</a> of this API.
      </p>
    </section>
  )
}

function Contents({ name, groups }: { name: string; groups: readonly (readonly [string, readonly Operation[]])[] }) {
  return (
    <nav className="reference-contents" aria-label="Operations">
      {groups.map(([tag, operations]) => (
        <div key={tag}>
          <p className="small faint">{tag}</p>
          <ul>
            {operations.map(({ operationId, method, path, summary }) => (
              <li key={operationId}>
                <a href={`#${name}-${operationId}`} title={summary}>
                  <MethodBadge method={method} />
                  <span>{shorten(path)}</span>
                </a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  )
}

/** Almost every path of the console API starts with the organization. */
function shorten(path: string): string {
  return path.replace(/^\/organizations\/\{organization\}(?=\/)/, '')
}
