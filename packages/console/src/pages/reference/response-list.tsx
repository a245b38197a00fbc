import type { Operation, Response } from './description.ts'
import { FieldRow } from './field-row.tsx'
import { SchemaView } from './schema-view.tsx'

/** The possible responses. All errors have the same body, so only their codes are listed. */
export function ResponseList({ responses }: Pick<Operation, 'responses'>) {
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
          <ul className="fields">
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
    <ul className="fields">
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
