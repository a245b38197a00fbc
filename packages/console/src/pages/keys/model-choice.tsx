import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { models as modelsQuery } from '../../api/queries.ts'
import { filterRows } from '../../lib/order-rows.ts'
import { Name } from '../../parts/name.tsx'
import { useSession } from '../../session/session.ts'

interface ChoiceProps {
  /** Undefined: all models, also those that come later. */
  chosen: readonly string[] | undefined
  onChange: (models: readonly string[] | undefined) => void
}

/** More than these are found by filtering. */
const MOST_SHOWN = 50

export function ModelChoice({ chosen, onChange }: ChoiceProps) {
  return (
    <fieldset className="choice">
      <legend>Models it may use</legend>
      <label className="choice-line">
        <input type="radio" name="models" checked={chosen === undefined} onChange={() => onChange(undefined)} />
        All models of the organization
      </label>
      <label className="choice-line">
        <input type="radio" name="models" checked={chosen !== undefined} onChange={() => onChange([])} />
        Only some
      </label>
      {chosen && <ModelChecks chosen={chosen} onChange={onChange} />}
    </fieldset>
  )
}

function ModelChecks({ chosen, onChange }: { chosen: readonly string[]; onChange: ChoiceProps['onChange'] }) {
  const { organization } = useSession()
  const { data = [] } = useQuery(modelsQuery(organization.id))
  const [filter, setFilter] = useState('')
  const enabled = data.filter(({ state }) => state === 'enabled')
  const shown = filterRows(enabled, filter, ({ name }) => name).slice(0, MOST_SHOWN)
  const toggle = (name: string, isOn: boolean) =>
    onChange(isOn ? [...chosen, name] : chosen.filter((other) => other !== name))
  return (
    <div className="choice-models">
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
      {enabled.length === 0 && <p className="soft">No model is enabled yet.</p>}
      <div className="choice-list">
        {shown.map(({ name }) => (
          <label key={name} className="choice-line">
            <input
              type="checkbox"
              checked={chosen.includes(name)}
              onChange={(event) => toggle(name, event.target.checked)}
            />
            <Name text={name} isCut />
          </label>
        ))}
      </div>
      <p className="soft small" aria-live="polite">
        {chosen.length === 0 ? 'Choose at least one.' : `${chosen.length} chosen.`}
      </p>
    </div>
  )
}
