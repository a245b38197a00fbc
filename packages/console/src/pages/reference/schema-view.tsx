import { useDescription } from './description-context.ts'
import { describeType, listInside, type Inside } from './describe-schema.ts'
import type { FieldClass, Schema } from './description.ts'
import { FieldRow, InsideList } from './field-row.tsx'

const CLASSES: Record<FieldClass, { title: string; about: string }> = {
  supported: { title: 'Always supported', about: 'Every device can do these.' },
  device: {
    title: 'Depend on the device',
    about: 'When no device that serves the model can do it, the answer is unsupported_by_node. Update the device app.',
  },
  ignored: {
    title: 'Accepted without effect',
    about: 'Those that were sent are listed in the response header x-service-ignored-params.',
  },
  rejected: { title: 'Refused', about: 'Answered with unsupported_parameter.' },
}

/** The body of a request or an answer. */
export function SchemaView({ schema }: { schema: Schema }) {
  const description = useDescription()
  const inside = listInside(description, schema)
  const [only] = inside
  if (!only) return <p className="small soft">{describeType(description, schema)}</p>
  if (inside.length > 1) return <InsideList inside={inside} above={[]} />
  const groups = Object.groupBy(only.fields, ([, field]) => field['x-class'] ?? 'supported')
  if (Object.keys(groups).length === 1) return <Fields inside={only} fields={only.fields} />
  return (Object.keys(CLASSES) as FieldClass[]).map((name) => (
    <div key={name} className="stack-small">
      <div>
        <h5>{CLASSES[name].title}</h5>
        <p className="small soft">{CLASSES[name].about}</p>
      </div>
      <Fields inside={only} fields={groups[name] ?? []} />
    </div>
  ))
}

function Fields({ inside, fields }: { inside: Inside; fields: Inside['fields'] }) {
  const above = inside.reference === undefined ? [] : [inside.reference]
  return (
    <ul className="fields">
      {fields.map(([name, schema, isRequired]) => (
        <FieldRow key={name} name={name} schema={schema} isRequired={isRequired} above={above} />
      ))}
    </ul>
  )
}
