import { SelectField, TextField } from '../../../parts/control/field.tsx'
import { FeatureNote } from '../models/feature-note.tsx'
import { JsonField } from './json-field.tsx'
import { SAMPLE_SCHEMA } from './samples.ts'
import type { SettingsProps } from './settings-props.ts'
import { FORMATS } from './settings.ts'

const TITLES = { text: 'Text', json_object: 'JSON object', json_schema: 'JSON schema' }

export function FormatFields(props: SettingsProps) {
  const { settings, models, onChange } = props
  const { format } = settings
  return (
    <>
      <SelectField
        label="Response format"
        hint={format === 'text' ? undefined : <FeatureNote models={models} feature={format} />}
        value={format}
        onChange={({ target }) => onChange({ format: FORMATS.find((one) => one === target.value) ?? 'text' })}
        options={FORMATS.map((one) => [one, TITLES[one]])}
      />
      {format === 'json_schema' && <SchemaFields {...props} />}
    </>
  )
}

function SchemaFields({ settings, faults, onChange }: SettingsProps) {
  return (
    <>
      <TextField
        label="Schema name"
        error={faults.schemaName}
        value={settings.schemaName}
        onChange={({ target }) => onChange({ schemaName: target.value })}
      />
      <JsonField
        label="JSON schema"
        hint="The response always matches: the schema is enforced during generation."
        error={faults.schema}
        rows={12}
        value={settings.schema}
        onChange={(schema) => onChange({ schema })}
        sample={SAMPLE_SCHEMA}
      />
    </>
  )
}
