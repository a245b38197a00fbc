import { useState, type ReactNode } from 'react'
import type { Feature } from '../../../api/features.ts'
import { CheckField, SelectField, TextArea, TextField } from '../../../parts/control/field.tsx'
import { FeatureNote, modelsWithout } from '../models/feature-note.tsx'
import type { Model } from '../models/lane-model.ts'
import { describeDefault, type Defaults, type NumberSetting } from './describe-default.ts'
import { JsonField } from './json-field.tsx'
import { SAMPLE_SCHEMA, SAMPLE_TOOLS } from './samples.ts'
import { RANGES, type Faults, type Settings } from './settings.ts'

interface SettingsProps {
  settings: Settings
  faults: Faults
  /** The models that get the request: two while models are compared, none if the chosen one is gone. */
  models: readonly Model[]
  /** Undefined while it is unknown, and while two models are compared: each has its own. */
  defaults: Defaults | undefined
  onChange: (changes: Partial<Settings>) => void
}

const LEVELS = [
  ['', 'Default'],
  ['low', 'Low'],
  ['medium', 'Medium'],
  ['high', 'High'],
] as const
const FORMATS = [
  ['text', 'Text'],
  ['json_object', 'JSON object'],
  ['json_schema', 'JSON schema'],
] as const
const TOOL_CHOICES = [
  ['auto', 'auto: the model decides'],
  ['none', 'none: no tool calls'],
] as const

/** Every field of a request. Empty fields are not sent, so the device uses its defaults. The few that most people need come first. */
export function SettingsPanel(props: SettingsProps) {
  const { models, defaults } = props
  const message = defaults?.own.systemMessage ?? defaults?.recommended.systemMessage
  const isUsageUnknown = modelsWithout(models, 'usage').length > 0
  return (
    <div className="min-w-0 [&_.field>label]:text-small">
      <section className="stack pt-8.5 pb-11" aria-label="Basic settings">
        <TextArea
          label="System message"
          rows={3}
          placeholder={message ?? 'You are a helpful assistant.'}
          {...textOf(props, 'system')}
        />
        <div className="grid grid-cols-2 gap-x-7.5 gap-y-9 items-start">
          <NumberField {...props} name="temperature" label="Temperature" step={0.1} />
          <NumberField {...props} name="maxTokens" label="Max tokens" step={1} />
        </div>
        <CheckField
          label="Stream the response"
          hint={isUsageUnknown ? 'No device serving this model reports token usage for streams.' : undefined}
          {...checkOf(props, 'stream')}
        />
      </section>
      <Group title="Advanced sampling" isOpen={isAnyFaulty(props, ADVANCED)}>
        <SamplingFields {...props} />
      </Group>
      <Group title="Response format" isOpen={isAnyFaulty(props, ['schemaName', 'schema'])}>
        <FormatFields {...props} />
      </Group>
      <Group title="Tools" isOpen={isAnyFaulty(props, ['tools'])}>
        <ToolFields {...props} />
      </Group>
      <Group title="Log probabilities and web search">
        <RarerFields {...props} />
      </Group>
    </div>
  )
}

/** What a field of text needs. A select offers only what its setting can be. */
function textOf({ settings, faults, onChange }: SettingsProps, name: keyof Settings) {
  const onText = (text: string) => onChange({ [name]: text })
  return { value: String(settings[name]), error: faults[name], onText }
}

function checkOf({ settings, onChange }: SettingsProps, name: 'stream' | 'logprobs' | 'webSearch') {
  const change = ({ target }: { target: { checked: boolean } }) => onChange({ [name]: target.checked })
  return { checked: settings[name], onChange: change }
}

const ADVANCED = ['topP', 'choices', 'frequencyPenalty', 'presencePenalty', 'stop', 'logitBias'] as const

/** A group with an error opens, so that the error can be seen. */
function isAnyFaulty({ faults }: SettingsProps, names: readonly (keyof Settings)[]): boolean {
  return names.some((name) => faults[name] !== undefined)
}

function Group({ title, isOpen = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  const [isOpened, setOpened] = useState(isOpen)
  if (isOpen && !isOpened) setOpened(true)
  return (
    <details
      className="border-t border-line"
      open={isOpened}
      onToggle={({ currentTarget }) => setOpened(currentTarget.open)}
    >
      <summary className="font-strong rounded-small px-0 py-8">{title}</summary>
      <div className="stack pb-11">{children}</div>
    </details>
  )
}

function SamplingFields(props: SettingsProps) {
  const { models } = props
  return (
    <>
      <div className="grid grid-cols-2 gap-x-7.5 gap-y-9 items-start">
        <NumberField {...props} name="topP" label="Top p" step={0.05} />
        <NumberField {...props} name="choices" label="Choices (n)" step={1} feature="n" />
        <NumberField {...props} name="frequencyPenalty" label="Frequency penalty" step={0.1} />
        <NumberField {...props} name="presencePenalty" label="Presence penalty" step={0.1} />
      </div>
      <JsonField
        label="Stop sequences"
        hint="Up to four, one per line. Use \n for a line break."
        rows={2}
        {...textOf(props, 'stop')}
      />
      <SelectField
        label="Reasoning effort"
        hint={noteOf(models, 'reasoning_effort', 'Only affects models trained to reason.')}
        options={LEVELS}
        {...textOf(props, 'reasoningEffort')}
      />
      <JsonField
        label="Logit bias"
        hint={noteOf(models, 'logit_bias', 'Token IDs of this model and their bias, from -100 to 100.')}
        rows={2}
        placeholder={'{ "1234": -100 }'}
        {...textOf(props, 'logitBias')}
      />
    </>
  )
}

function FormatFields(props: SettingsProps) {
  const { models } = props
  const { format } = props.settings
  return (
    <>
      <SelectField
        label="Response format"
        hint={format === 'text' ? undefined : noteOf(models, format)}
        options={FORMATS}
        {...textOf(props, 'format')}
      />
      {format === 'json_schema' && (
        <>
          <TextField label="Schema name" {...textOf(props, 'schemaName')} />
          <JsonField
            label="JSON schema"
            hint="The response always matches: the schema is enforced during generation."
            rows={12}
            sample={SAMPLE_SCHEMA}
            {...textOf(props, 'schema')}
          />
        </>
      )}
    </>
  )
}

function ToolFields(props: SettingsProps) {
  const isUsed = props.settings.tools.trim() !== ''
  return (
    <>
      <JsonField
        label="Tools"
        hint={noteOf(props.models, 'tools', 'Functions the model can call, as JSON. You enter their results by hand.')}
        rows={isUsed ? 14 : 3}
        placeholder="[ … ]"
        sample={SAMPLE_TOOLS}
        {...textOf(props, 'tools')}
      />
      {isUsed && <SelectField label="Tool choice" options={TOOL_CHOICES} {...textOf(props, 'toolChoice')} />}
    </>
  )
}

function RarerFields(props: SettingsProps) {
  const { settings, models } = props
  const counts = Array.from({ length: 21 }, (_, count) => [count, String(count)] as const)
  return (
    <>
      <CheckField
        label="Log probabilities"
        hint={noteOf(models, 'logprobs', 'Colors each token by its probability.')}
        {...checkOf(props, 'logprobs')}
      />
      {settings.logprobs && (
        <SelectField label="Alternatives per token" options={counts} {...textOf(props, 'topLogprobs')} />
      )}
      <CheckField
        label="Web search"
        hint={noteOf(models, 'web_search', 'The device can search the web and cite its sources.')}
        {...checkOf(props, 'webSearch')}
      />
      {settings.webSearch && (
        <SelectField label="Search context size" options={LEVELS} {...textOf(props, 'searchSize')} />
      )}
    </>
  )
}

function noteOf(models: readonly Model[], feature: Feature, about?: string): ReactNode {
  return (
    <FeatureNote models={models} feature={feature}>
      {about}
    </FeatureNote>
  )
}

interface NumberFieldProps extends SettingsProps {
  name: NumberSetting
  label: string
  step: number
  feature?: Feature
}

function NumberField({ name, label, step, feature, ...props }: NumberFieldProps) {
  const { min, max } = RANGES[name]
  const lacking = feature !== undefined && modelsWithout(props.models, feature).length > 0
  return (
    <TextField
      label={label}
      type="number"
      inputMode="decimal"
      placeholder={describeDefault(name, props.defaults)}
      min={min}
      max={max === Number.MAX_SAFE_INTEGER ? undefined : max}
      step={step}
      hint={lacking ? noteOf(props.models, feature) : undefined}
      {...textOf(props, name)}
    />
  )
}
