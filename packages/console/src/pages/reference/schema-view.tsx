import { useDescription } from './description-context.ts'
import { describeType, listInside, type Inside } from './describe-schema.ts'
import type { FieldClass, Schema } from './description.ts'
import { FieldRow, InsideList } from './field-row.tsx'

const CLASSES: Record<FieldClass, { title: string; about: string }> = {
  supported: { title: 'Always supported', about: 'These work on every device.' },
  device: {
    title: 'Depends on the device',
    about:
      'If no device serving the model supports the field, the request fails with unsupported_by_node. Update the device app.',
  },
  ignored: {
    title: 'Ignored',
    about: 'These have no effect. The response header x-service-ignored-params lists the ones you sent.',
  },
  rejected: { title: 'Rejected', about: 'Requests with these fields fail with unsupported_parameter.' },
}

const CLASS_NAMES = ['supported', 'device', 'ignored', 'rejected'] as const

/** The body of a request or response. */
export function SchemaView({ schema }: { schema: Schema }) {
  const description = useDescription()
  const inside = listInside(description, schema)
  const [only] = inside
  if (!only) return <p className="small soft">{describeType(description, schema)}</p>
  if (inside.length > 1) return <InsideList inside={inside} above={[]} />
  const groups = Object.groupBy(only.fields, ([, field]) => field['x-class'] ?? 'supported')
  if (Object.keys(groups).length === 1) return <Fields inside={only} fields={only.fields} />
  return CLASS_NAMES.map((name) => (
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
    <ul className="fields divided">
      {fields.map(([name, schema, isRequired]) => (
        <FieldRow key={name} name={name} schema={schema} isRequired={isRequired} above={above} />
      ))}
    </ul>
  )
}
