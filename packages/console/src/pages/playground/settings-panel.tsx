import type { ReactNode } from 'react'
import { CheckField, SelectField, TextArea } from '../../parts/field.tsx'
import { FeatureNote } from './feature-note.tsx'
import { FormatFields } from './format-fields.tsx'
import { SamplingFields } from './sampling-fields.tsx'
import type { SettingsProps } from './settings-props.ts'
import type { Settings } from './settings.ts'
import { ToolFields } from './tool-fields.tsx'
import './settings.css'

/** Every field of a request. Empty fields are not sent, so the device uses its defaults. */
export function SettingsPanel(props: SettingsProps) {
  return (
    <div className="settings">
      <Group title="Instructions" isOpen>
        <TextArea
          label="System message"
          rows={3}
          placeholder="You are a helpful assistant."
          value={props.settings.system}
          onChange={({ target }) => props.onChange({ system: target.value })}
        />
      </Group>
      <Group title="Sampling" isOpen>
        <SamplingFields {...props} />
      </Group>
      <Group title="Response format">
        <FormatFields {...props} />
      </Group>
      <Group title="Tools">
        <ToolFields {...props} />
      </Group>
      <Group title="Log probabilities and web search">
        <ProbabilityFields {...props} />
        <SearchFields {...props} />
      </Group>
    </div>
  )
}

function Group({ title, isOpen = false, children }: { title: string; isOpen?: boolean; children: ReactNode }) {
  return (
    <details className="settings-group" open={isOpen}>
      <summary>{title}</summary>
      <div className="stack">{children}</div>
    </details>
  )
}

function ProbabilityFields({ settings, faults, model, onChange }: SettingsProps) {
  return (
    <>
      <CheckField
        label="Log probabilities"
        hint={
          <>
            Colors each token by its probability. <FeatureNote model={model} feature="logprobs" />
          </>
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
        >
          {Array.from({ length: 21 }, (_, count) => (
            <option key={count}>{count}</option>
          ))}
        </SelectField>
      )}
    </>
  )
}

function SearchFields({ settings, model, onChange }: SettingsProps) {
  return (
    <>
      <CheckField
        label="Web search"
        hint={
          <>
            The device can search the web and cite its sources. <FeatureNote model={model} feature="web_search" />
          </>
        }
        checked={settings.webSearch}
        onChange={({ target }) => onChange({ webSearch: target.checked })}
      />
      {settings.webSearch && (
        <SelectField
          label="Search context size"
          value={settings.searchSize}
          onChange={({ target }) => onChange({ searchSize: target.value as Settings['searchSize'] })}
        >
          <option value="">Default</option>
          <option value="low">Low</option>
          <option value="medium">Medium</option>
          <option value="high">High</option>
        </SelectField>
      )}
    </>
  )
}
