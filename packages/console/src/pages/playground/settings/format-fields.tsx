import { Braces } from 'lucide-react'
import { indentJson } from '../../../lib/indent-json.ts'
import { Button } from '../../../parts/control/button.tsx'
import { SelectField, TextArea, TextField } from '../../../parts/control/field.tsx'
import { FeatureNote } from '../models/feature-note.tsx'
import { SAMPLE_SCHEMA } from './samples.ts'
import type { SettingsProps } from './settings-props.ts'
import type { Settings } from './settings.ts'

export function FormatFields(props: SettingsProps) {
  const { settings, models, onChange } = props
  const { format } = settings
  return (
    <>
      <SelectField
        label="Response format"
        hint={format === 'text' ? undefined : <FeatureNote models={models} feature={format} />}
        value={format}
        onChange={({ target }) => onChange({ format: target.value as Settings['format'] })}
      >
        <option value="text">Text</option>
        <option value="json_object">JSON object</option>
        <option value="json_schema">JSON schema</option>
      </SelectField>
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
      <TextArea
        label="JSON schema"
        hint="The response always matches: the schema is enforced during generation."
        error={faults.schema}
        rows={12}
        className="input json-input"
        spellCheck={false}
        value={settings.schema}
        onChange={({ target }) => onChange({ schema: target.value })}
      />
      <div className="row">
        <Button size="small" icon={Braces} onClick={() => onChange({ schema: indentJson(settings.schema) })}>
          Format
        </Button>
        <Button size="small" onClick={() => onChange({ schema: SAMPLE_SCHEMA })}>
          Use sample
        </Button>
      </div>
    </>
  )
}
