import { Link2 } from 'lucide-react'
import { Code } from '../../parts/code/copy-button.tsx'
import { useDescription } from './description-context.ts'
import type { Method, Operation, Parameter, Response } from './description.ts'
import { FieldRow } from './field-row.tsx'
import { makeCurl, type Known } from './make-curl.ts'
import { SchemaView } from './schema-view.tsx'

interface OperationProps {
  name: string
  operation: Operation
  baseUrl: string
  known: Known
}

export function OperationView({ name, operation, baseUrl, known }: OperationProps) {
  const { operationId, method, path, summary, parameters = [], requestBody, responses } = operation
  const id = `${name}-${operationId}`
  const body = requestBody?.content['application/json']
  return (
    <article id={id} className="operation card" aria-labelledby={`${id}-title`}>
      <header className="stack-small">
        <div className="operation-title">
          <h3 id={`${id}-title`}>
            <MethodBadge method={method} />
            <code className="anywhere">{path}</code>
          </h3>
          <a href={`#${id}`} className="operation-anchor" aria-label={`Link to ${operationId}`}>
            <Link2 size={16} aria-hidden />
          </a>
        </div>
        <p>{summary}</p>
        {operation.description !== undefined && <p className="soft">{operation.description}</p>}
        <Access access={operation['x-access']} />
      </header>
      <Example {...{ operation, baseUrl, known }} />
      {parameters.length > 0 && <Parameters parameters={parameters} />}
      {body && (
        <section className="stack-small">
          <h4>Request body</h4>
          <SchemaView schema={body.schema} />
        </section>
      )}
      <ResponseList responses={responses} />
    </article>
  )
}

export function MethodBadge({ method }: { method: Method }) {
  return <span className={`method method-${method}`}>{method === 'delete' ? 'DEL' : method.toUpperCase()}</span>
}

/** Access levels other than the permissions of roles. */
const ACCESS: Record<string, string> = {
  anyone: 'No sign-in required.',
  'signed-in': 'Anyone who is signed in can call this.',
}

function Access({ access }: { access: string | undefined }) {
  if (access === undefined) return null
  return (
    <p className="small soft">
      {ACCESS[access] ?? (
        <>
          Requires a role with the permission <code>{access}</code>.
        </>
      )}
    </p>
  )
}

function Example({ operation, baseUrl, known }: Omit<OperationProps, 'name'>) {
  const description = useDescription()
  return <Code text={makeCurl(description, operation, baseUrl, known)} label={`Example of ${operation.operationId}`} />
}

function Parameters({ parameters }: { parameters: readonly Parameter[] }) {
  return (
    <section className="stack-small">
      <h4>Parameters</h4>
      <ul className="fields divided">
        {parameters.map(({ name, in: place, schema, description, required }) => (
          <FieldRow
            key={name}
            name={name}
            schema={{ ...schema, ...(description !== undefined && { description }) }}
            isRequired={required === true}
            place={place}
            above={[]}
          />
        ))}
      </ul>
    </section>
  )
}

/** The possible responses. All errors have the same body, so only their codes are listed. */
function ResponseList({ responses }: Pick<Operation, 'responses'>) {
  const answers = responses.filter(([status]) => status.startsWith('2'))
  const errors = responses.filter(([, response]) => response['x-codes'] !== undefined)
  return (
    <section className="stack-small">
      <h4>Responses</h4>
      {answers.map(([status, response]) => (
        <Answer key={status} status={status} response={response} />
      ))}
      {errors.length > 0 && (
        <details className="inside">
          <summary>Errors</summary>
          <Errors errors={errors} />
        </details>
      )}
    </section>
  )
}

function Answer({
  status,
  response: { description, headers = {}, content = {} },
}: {
  status: string
  response: Response
}) {
  return (
    <>
      <p>
        <code>{status}</code> {description}
      </p>
      {Object.entries(content).map(([type, { schema }]) => (
        <details key={type} className="inside">
          <summary>
            <code>{type}</code>
          </summary>
          <SchemaView schema={schema} />
        </details>
      ))}
      {Object.keys(headers).length > 0 && (
        <details className="inside">
          <summary>Headers</summary>
          <ul className="fields divided">
            {Object.entries(headers).map(([name, { description: about, schema }]) => (
              <FieldRow
                key={name}
                name={name}
                schema={{ ...schema, ...(about !== undefined && { description: about }) }}
                isRequired={false}
                above={[]}
              />
            ))}
          </ul>
        </details>
      )}
    </>
  )
}

function Errors({ errors }: { errors: Operation['responses'] }) {
  return (
    <ul className="fields divided">
      {errors.map(([status, { description, 'x-codes': codes = {} }]) => (
        <li key={status} className="field-row">
          <p>
            <code className="field-name">{status}</code> {description}
          </p>
          <dl className="codes small">
            {Object.entries(codes).map(([code, means]) => (
              <div key={code}>
                <dt>
                  <code>{code}</code>
                </dt>
                <dd className="soft">{means}</dd>
              </div>
            ))}
          </dl>
        </li>
      ))}
    </ul>
  )
}
