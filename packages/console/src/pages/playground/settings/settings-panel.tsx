import { useState, type ReactNode } from 'react'
import { CheckField, SelectField, TextArea } from '../../../parts/control/field.tsx'
import { FeatureNote } from '../models/feature-note.tsx'
import { FormatFields } from './format-fields.tsx'
import { LevelField } from './level-field.tsx'
import { BasicFields, SamplingFields } from './sampling-fields.tsx'
import type { SettingsProps } from './settings-props.ts'
import { type Settings, TOOL_CHOICES } from './settings.ts'
import './settings.css'
import { JsonField } from './json-field.tsx'
import { SAMPLE_TOOLS } from './samples.ts'

/** Every field of a request. Empty fields are not sent, so the device uses its defaults. The few that most people need come first. */
export function SettingsPanel(props: SettingsProps) {
  const message = props.defaults?.own.systemMessage ?? props.defaults?.recommended.systemMessage
  return (
    <div className="settings">
      <section className="stack settings-basic" aria-label="Basic settings">
        <TextArea
          label="System message"
          rows={3}
          placeholder={message ?? 'You are a helpful assistant.'}
          value={props.settings.system}
          onChange={({ target }) => props.onChange({ system: target.value })}
        />
        <BasicFields {...props} />
      </section>
      <Group title="Advanced sampling" isOpen={isAnyFaulty(props, ADVANCED)}>
        <SamplingFields {...props} />
      </Group>
      <Group title="Response format" isOpen={isAnyFaulty(props, FORMAT)}>
        <FormatFields {...props} />
      </Group>
      <Group title="Tools" isOpen={isAnyFaulty(props, ['tools'])}>
        <ToolFields {...props} />
      </Group>
      <Group title="Log probabilities and web search">
        <ProbabilityFields {...props} />
        <SearchFields {...props} />
      </Group>
    </div>
  )
}

const ADVANCED = ['topP', 'choices', 'frequencyPenalty', 'presencePenalty', 'stop', 'logitBias'] as const
const FORMAT = ['schemaName', 'schema'] as const

/** A group with an error opens, so that the error can be seen. */
function isAnyFaulty({ faults }: SettingsProps, names: readonly (keyof Settings)[]): boolean {
  return names.some((name) => faults[name] !== undefined)
}

function Group({ title, isOpen = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  const [isOpened, setOpened] = useState(isOpen)
  if (isOpen && !isOpened) setOpened(true)
  return (
    <details className="settings-group" open={isOpened} onToggle={({ currentTarget }) => setOpened(currentTarget.open)}>
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  )
}

function ProbabilityFields({ settings, faults, models, onChange }: SettingsProps) {
  return (
    <>
      <CheckField
        label="Log probabilities"
        hint={
          <FeatureNote models={models} feature="logprobs">
            Colors each token by its probability.
          </FeatureNote>
        }
        checked={settings.logprobs}
        onChange={({ target }) => onChange({ logprobs: target.checked })}
      />
      {settings.logprobs && (
        <SelectField
          label="Alternatives per token"
          error={faults.topLogprobs}
          value={settings.topLogprobs}
          onChange={({ target }) => onChange({ topLogprobs: target.value })}
          options={Array.from({ length: 21 }, (_, count) => [count, String(count)])}
        />
      )}
    </>
  )
}

function SearchFields({ settings, models, onChange }: SettingsProps) {
  return (
    <>
      <CheckField
        label="Web search"
        hint={
          <FeatureNote models={models} feature="web_search">
            The device can search the web and cite its sources.
          </FeatureNote>
        }
        checked={settings.webSearch}
        onChange={({ target }) => onChange({ webSearch: target.checked })}
      />
      {settings.webSearch && (
        <LevelField
          label="Search context size"
          value={settings.searchSize}
          onChange={(searchSize) => onChange({ searchSize })}
        />
      )}
    </>
  )
}

const TITLES = { auto: 'auto: the model decides', none: 'none: no tool calls' }

function ToolFields({ settings, faults, models, onChange }: SettingsProps) {
  const isUsed = settings.tools.trim() !== ''
  return (
    <>
      <JsonField
        label="Tools"
        hint={
          <FeatureNote models={models} feature="tools">
            Functions the model can call, as JSON. You enter their results by hand.
          </FeatureNote>
        }
        error={faults.tools}
        rows={isUsed ? 14 : 3}
        placeholder="[ … ]"
        value={settings.tools}
        onChange={(tools) => onChange({ tools })}
        sample={SAMPLE_TOOLS}
      />
      {isUsed && (
        <SelectField
          label="Tool choice"
          value={settings.toolChoice}
          onChange={({ target }) => onChange({ toolChoice: target.value === 'none' ? 'none' : 'auto' })}
          options={TOOL_CHOICES.map((choice) => [choice, TITLES[choice]])}
        />
      )}
    </>
  )
}
