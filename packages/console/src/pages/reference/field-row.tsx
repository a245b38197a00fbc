// A field with its nested fields.

import { Badge } from '../../parts/text/badge.tsx'
import { useDescription } from './description-context.ts'
import { describeLimits, describeType, listInside, type Inside } from './describe-schema.ts'
import { resolve, type Schema } from './description.ts'

interface FieldRowProps {
  name: string
  schema: Schema
  isRequired: boolean
  /** Where a parameter goes: path or query. */
  place?: string
  /** References of the schemas around it. */
  above: readonly string[]
}

export function FieldRow({ name, schema, isRequired, place, above }: FieldRowProps) {
  const description = useDescription()
  const resolved = resolve(description, schema)
  const feature = schema['x-feature']
  const inside = listInside(description, schema).filter(({ reference }) => !above.includes(reference ?? ''))
  return (
    <li className="field-row">
      <p className="row">
        <code className="field-name">{name}</code>
        <span className="small soft">{describeType(description, schema)}</span>
        {place !== undefined && <Badge>{place}</Badge>}
        {isRequired && <Badge tone="accent">required</Badge>}
        {resolved.deprecated === true && <Badge tone="warn">deprecated</Badge>}
        {feature !== undefined && <Badge>requires {feature}</Badge>}
      </p>
      {resolved.description !== undefined && <p className="small">{resolved.description}</p>}
      <Limits limits={describeLimits(resolved)} />
      <InsideList inside={inside} above={above} />
    </li>
  )
}

function Limits({ limits }: { limits: readonly string[] }) {
  return limits.length === 0 ? null : <p className="small faint anywhere">{limits.join(' · ')}</p>
}

interface InsideListProps {
  inside: readonly Inside[]
  above: readonly string[]
}

/** The nested fields, collapsed, one list per variant. */
export function InsideList({ inside, above }: InsideListProps) {
  return inside.map(({ title, about, reference, fields }, index) => (
    <details key={`${title}-${index}`} className="inside">
      <summary className="small">
        Fields of <code>{title}</code>
      </summary>
      {inside.length > 1 && about !== undefined && <p className="small soft">{about}</p>}
      <ul className="fields divided">
        {fields.map(([name, schema, isRequired]) => (
          <FieldRow
            key={name}
            name={name}
            schema={schema}
            isRequired={isRequired}
            above={reference === undefined ? above : [...above, reference]}
          />
        ))}
      </ul>
    </details>
  ))
}
