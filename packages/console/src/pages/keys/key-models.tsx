import { useState } from 'react'
import { filterRows } from '../../lib/order-rows.ts'
import { Name } from '../../parts/text/name.tsx'
import { useRead } from '../../session/use-read.ts'

interface KeyModelsProps {
  /** Undefined means all models, including future ones. */
  chosen: readonly string[] | undefined
  onChange: (models: readonly string[] | undefined) => void
}

/** Beyond this, use the filter. */
const MOST_SHOWN = 50

const CHOICE = 'flex items-center gap-6 min-w-0 min-h-17'
const BOX = 'size-10.5 flex-none m-0'

export function KeyModels({ chosen, onChange }: KeyModelsProps) {
  return (
    <fieldset className="grid gap-4">
      <legend className="mb-3.5 font-[550]">Models</legend>
      {[
        { label: 'All models', models: undefined },
        { label: 'Selected models only', models: [] },
      ].map(({ label, models }) => (
        <label key={label} className={CHOICE}>
          <input
            className={BOX}
            type="radio"
            name="models"
            checked={(chosen === undefined) === (models === undefined)}
            onChange={() => onChange(models)}
          />
          {label}
        </label>
      ))}
      {chosen && <ModelChecks chosen={chosen} onChange={onChange} />}
    </fieldset>
  )
}

function ModelChecks({ chosen, onChange }: { chosen: readonly string[]; onChange: KeyModelsProps['onChange'] }) {
  const models = useRead('/models').data?.models ?? []
  const [filter, setFilter] = useState('')
  const enabled = models.filter(({ state }) => state === 'enabled')
  const shown = filterRows(enabled, filter, ({ name }) => name).slice(0, MOST_SHOWN)
  const toggle = (name: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, name] : chosen.filter((other) => other !== name))
  return (
    <div className="grid gap-5 bg-sunken rounded min-w-0 p-7.5">
      {enabled.length > 8 && (
        <input
          type="search"
          className="input"
          aria-label="Filter models"
          placeholder={`Filter ${enabled.length} models`}
          value={filter}
          onChange={(event) => setFilter(event.target.value)}
        />
      )}
      {enabled.length === 0 && <p className="text-soft">No models are enabled yet.</p>}
      <div className="max-h-120 overflow-auto p-[2px]">
        {shown.map(({ name }) => (
          <label key={name} className={CHOICE}>
            <input
              className={BOX}
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
            <Name text={name} isCut />
          </label>
        ))}
      </div>
      <p className="text-soft text-small" aria-live="polite">
        {chosen.length === 0 ? 'Select at least one model.' : `${chosen.length} selected.`}
      </p>
    </div>
  )
}
