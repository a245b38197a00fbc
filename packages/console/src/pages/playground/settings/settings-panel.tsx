import { useState, type ComponentProps, type ReactNode } from 'react'
import type { Feature } from '../../../api/features.ts'
import { CheckField, SelectField, TextArea, TextField } from '../../../parts/control/field.tsx'
import { FeatureNote, modelsWithout } from '../models/feature-note.tsx'
import type { Model } from '../models/chosen-model.ts'
import { describeDefault, type Defaults, type NumberSetting } from './describe-default.ts'
import { JsonField } from './json-field.tsx'
import { SAMPLE_SCHEMA, SAMPLE_TOOLS } from './samples.ts'
import { RANGES, type SettingsErrors, type Settings } from './settings.ts'

interface SettingsProps {
  settings: Settings
  errors: SettingsErrors
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
const COUNTS = Array.from({ length: 21 }, (_, count) => [count, String(count)] as const)

const NUMBERS = 'grid grid-cols-2 gap-x-7.5 gap-y-9 items-start'

/** Every field of a request. Empty fields are not sent, so the device uses its defaults. The few that most people need come first. */
export function SettingsPanel(props: SettingsProps) {
  const { settings, errors, models, defaults, onChange } = props
  const message = defaults?.own.systemMessage ?? defaults?.recommended.systemMessage
  const isUsageUnknown = modelsWithout(models, 'usage').length > 0
  const hasTools = settings.tools.trim() !== ''
  /** What a field of text needs. A select offers only what its setting can be. */
  const text = (name: keyof Settings) => ({
    value: String(settings[name]),
    error: errors[name],
    onText: (typed: string) => onChange({ [name]: typed }),
  })
  const check = (name: 'stream' | 'logprobs' | 'webSearch') => ({
    checked: settings[name],
    onChange: ({ target }: { target: { checked: boolean } }) => onChange({ [name]: target.checked }),
  })
  const note = (feature: Feature, about?: string) => (
    <FeatureNote models={models} feature={feature}>
      {about}
    </FeatureNote>
  )
  const number = (
    name: NumberSetting,
    label: string,
    step: number,
    more?: Partial<ComponentProps<typeof TextField>>,
  ) => (
    <TextField
      label={label}
      type="number"
      inputMode="decimal"
      placeholder={describeDefault(name, defaults)}
      min={RANGES[name].min}
      max={RANGES[name].max === Number.MAX_SAFE_INTEGER ? undefined : RANGES[name].max}
      step={step}
      {...more}
      {...text(name)}
    />
  )
  return (
    <div className="min-w-0 [&_.field>label]:text-small">
      <section className="stack pt-8.5 pb-11" aria-label="Basic settings">
        <TextArea
          label="System message"
          rows={3}
          placeholder={message ?? 'You are a helpful assistant.'}
          {...text('system')}
        />
        <div className={NUMBERS}>
          {number('temperature', 'Temperature', 0.1)}
          {number('maxTokens', 'Max tokens', 1)}
        </div>
        <CheckField
          label="Stream the response"
          hint={isUsageUnknown ? 'No device serving this model reports token usage for streams.' : undefined}
          {...check('stream')}
        />
      </section>
      <Group
        title="Advanced sampling"
        errors={errors}
        names={['topP', 'choices', 'frequencyPenalty', 'presencePenalty', 'stop', 'logitBias']}
      >
        <div className={NUMBERS}>
          {number('topP', 'Top p', 0.05)}
          {number('choices', 'Choices (n)', 1, modelsWithout(models, 'n').length > 0 ? { hint: note('n') } : {})}
          {number('frequencyPenalty', 'Frequency penalty', 0.1)}
          {number('presencePenalty', 'Presence penalty', 0.1)}
        </div>
        <JsonField
          label="Stop sequences"
          hint="Up to four, one per line. Use \n for a line break."
          rows={2}
          {...text('stop')}
        />
        <SelectField
          label="Reasoning effort"
          hint={note('reasoning_effort', 'Only affects models trained to reason.')}
          options={LEVELS}
          {...text('reasoningEffort')}
        />
        <JsonField
          label="Logit bias"
          hint={note('logit_bias', 'Token IDs of this model and their bias, from -100 to 100.')}
          rows={2}
          placeholder={'{ "1234": -100 }'}
          {...text('logitBias')}
        />
      </Group>
      <Group title="Response format" errors={errors} names={['schemaName', 'schema']}>
        <SelectField
          label="Response format"
          hint={settings.format === 'text' ? undefined : note(settings.format)}
          options={FORMATS}
          {...text('format')}
        />
        {settings.format === 'json_schema' && (
          <>
            <TextField label="Schema name" {...text('schemaName')} />
            <JsonField
              label="JSON schema"
              hint="The response always matches: the schema is enforced during generation."
              rows={12}
              sample={SAMPLE_SCHEMA}
              {...text('schema')}
            />
          </>
        )}
      </Group>
      <Group title="Tools" errors={errors} names={['tools']}>
        <JsonField
          label="Tools"
          hint={note('tools', 'Functions the model can call, as JSON. You enter their results by hand.')}
          rows={hasTools ? 14 : 3}
          placeholder="[ … ]"
          sample={SAMPLE_TOOLS}
          {...text('tools')}
        />
        {hasTools && <SelectField label="Tool choice" options={TOOL_CHOICES} {...text('toolChoice')} />}
      </Group>
      <Group title="Log probabilities and web search" errors={errors} names={[]}>
        <CheckField
          label="Log probabilities"
          hint={note('logprobs', 'Colors each token by its probability.')}
          {...check('logprobs')}
        />
        {settings.logprobs && <SelectField label="Alternatives per token" options={COUNTS} {...text('topLogprobs')} />}
        <CheckField
          label="Web search"
          hint={note('web_search', 'The device can search the web and cite its sources.')}
          {...check('webSearch')}
        />
        {settings.webSearch && <SelectField label="Search context size" options={LEVELS} {...text('searchSize')} />}
      </Group>
    </div>
  )
}

interface GroupProps {
  title: string
  errors: SettingsErrors
  /** Its settings that can have an error. It opens then, so that the error can be seen. */
  names: readonly (keyof Settings)[]
  children: ReactNode
}

function Group({ title, errors, names, children }: GroupProps) {
  const hasErrors = names.some((name) => errors[name] !== undefined)
  const [isOpened, setOpened] = useState(hasErrors)
  if (hasErrors && !isOpened) setOpened(true)
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
