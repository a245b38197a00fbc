import { SelectField } from '../../../parts/control/field.tsx'
import { FeatureNote } from '../models/feature-note.tsx'
import { JsonButtons, JsonField } from './json-field.tsx'
import { SAMPLE_TOOLS } from './samples.ts'
import type { SettingsProps } from './settings-props.ts'
import { TOOL_CHOICES } from './settings.ts'

const TITLES = { auto: 'auto: the model decides', none: 'none: no tool calls' }

export function ToolFields({ settings, faults, models, onChange }: SettingsProps) {
  const isUsed = settings.tools.trim() !== ''
  const change = (tools: string) => onChange({ tools })
  return (
    <>
      <JsonField
        label="Tools"
        hint={
          <>
            Functions the model can call, as JSON. You enter their results by hand.{' '}
            <FeatureNote models={models} feature="tools" />
          </>
        }
        error={faults.tools}
        rows={isUsed ? 14 : 3}
        placeholder="[ … ]"
        value={settings.tools}
        onChange={change}
      />
      <JsonButtons value={settings.tools} sample={SAMPLE_TOOLS} onChange={change} />
      {isUsed && (
        <SelectField
          label="Tool choice"
          value={settings.toolChoice}
          onChange={({ target }) => onChange({ toolChoice: target.value === 'none' ? 'none' : 'auto' })}
        >
          {TOOL_CHOICES.map((choice) => (
            <option key={choice} value={choice}>
              {TITLES[choice]}
            </option>
          ))}
        </SelectField>
      )}
    </>
  )
}
