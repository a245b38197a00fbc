import type { Feature } from '../../../api/features.ts'
import { CheckField, TextField } from '../../../parts/control/field.tsx'
import { describeDefault, type NumberSetting } from './describe-default.ts'
import { FeatureNote, modelsWithout } from '../models/feature-note.tsx'
import type { SettingsProps } from './settings-props.ts'
import { JsonField } from './json-field.tsx'
import { LevelField } from './level-field.tsx'
import { RANGES } from './settings.ts'

export function BasicFields(props: SettingsProps) {
  const { settings, models, onChange } = props
  const isUsageUnknown = modelsWithout(models, 'usage').length > 0
  return (
    <>
      <div className="settings-grid">
        <NumberField {...props} name="temperature" label="Temperature" step={0.1} />
        <NumberField {...props} name="maxTokens" label="Max tokens" step={1} />
      </div>
      <CheckField
        label="Stream the response"
        hint={isUsageUnknown ? 'No device serving this model reports token usage for streams.' : undefined}
        checked={settings.stream}
        onChange={({ target }) => onChange({ stream: target.checked })}
      />
    </>
  )
}

export function SamplingFields(props: SettingsProps) {
  return (
    <>
      <div className="settings-grid">
        <NumberField {...props} name="topP" label="Top p" step={0.05} />
        <NumberField {...props} name="choices" label="Choices (n)" step={1} feature="n" />
        <NumberField {...props} name="frequencyPenalty" label="Frequency penalty" step={0.1} />
        <NumberField {...props} name="presencePenalty" label="Presence penalty" step={0.1} />
      </div>
      <StopField {...props} />
      <EffortField {...props} />
      <BiasField {...props} />
    </>
  )
}

function StopField({ settings, faults, onChange }: SettingsProps) {
  return (
    <JsonField
      label="Stop sequences"
      hint="Up to four, one per line. Use \n for a line break."
      error={faults.stop}
      rows={2}
      value={settings.stop}
      onChange={(stop) => onChange({ stop })}
    />
  )
}

function EffortField({ settings, models, onChange }: SettingsProps) {
  return (
    <LevelField
      label="Reasoning effort"
      hint={
        <FeatureNote models={models} feature="reasoning_effort">
          Only affects models trained to reason.
        </FeatureNote>
      }
      value={settings.reasoningEffort}
      onChange={(reasoningEffort) => onChange({ reasoningEffort })}
    />
  )
}

function BiasField({ settings, faults, models, onChange }: SettingsProps) {
  return (
    <JsonField
      label="Logit bias"
      hint={
        <FeatureNote models={models} feature="logit_bias">
          Token IDs of this model and their bias, from -100 to 100.
        </FeatureNote>
      }
      error={faults.logitBias}
      rows={2}
      placeholder={'{ "1234": -100 }'}
      value={settings.logitBias}
      onChange={(logitBias) => onChange({ logitBias })}
    />
  )
}

interface NumberFieldProps extends SettingsProps {
  name: NumberSetting
  label: string
  step: number
  feature?: Feature
}

function NumberField({ name, label, step, feature, settings, faults, models, defaults, onChange }: NumberFieldProps) {
  const { min, max } = RANGES[name]
  const isLimited = max !== Number.MAX_SAFE_INTEGER
  const lacking = feature !== undefined && modelsWithout(models, feature).length > 0
  return (
    <TextField
      label={label}
      type="number"
      inputMode="decimal"
      placeholder={describeDefault(name, defaults)}
      min={min}
      max={isLimited ? max : undefined}
      step={step}
      hint={lacking ? <FeatureNote models={models} feature={feature} /> : undefined}
      error={faults[name]}
      value={settings[name]}
      onChange={({ target }) => onChange({ [name]: target.value })}
    />
  )
}
