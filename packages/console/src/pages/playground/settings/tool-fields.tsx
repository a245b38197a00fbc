import { Braces } from 'lucide-react'
import { indentJson } from '../../../lib/indent-json.ts'
import { Button } from '../../../parts/control/button.tsx'
import { SelectField, TextArea } from '../../../parts/control/field.tsx'
import { FeatureNote } from '../models/feature-note.tsx'
import { SAMPLE_TOOLS } from './samples.ts'
import type { SettingsProps } from './settings-props.ts'
import type { Settings } from './settings.ts'

export function ToolFields({ settings, faults, models, onChange }: SettingsProps) {
  const isUsed = settings.tools.trim() !== ''
  return (
    <>
      <TextArea
        label="Tools"
        hint={
          <>
            Functions the model can call, as JSON. You enter their results by hand.{' '}
            <FeatureNote models={models} feature="tools" />
          </>
        }
        error={faults.tools}
        rows={isUsed ? 14 : 3}
        className="input json-input"
        spellCheck={false}
        placeholder="[ … ]"
        value={settings.tools}
        onChange={({ target }) => onChange({ tools: target.value })}
      />
      <div className="row">
        <Button
          size="small"
          icon={Braces}
          disabled={!isUsed}
          onClick={() => onChange({ tools: indentJson(settings.tools) })}
        >
          Format
        </Button>
        <Button size="small" onClick={() => onChange({ tools: SAMPLE_TOOLS })}>
          Use sample
        </Button>
      </div>
      {isUsed && (
        <SelectField
          label="Tool choice"
          value={settings.toolChoice}
          onChange={({ target }) => onChange({ toolChoice: target.value as Settings['toolChoice'] })}
        >
          <option value="auto">auto: the model decides</option>
          <option value="none">none: no tool calls</option>
        </SelectField>
      )}
    </>
  )
}
