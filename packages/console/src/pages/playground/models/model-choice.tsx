import { memo } from 'react'
import { formatContext, plural } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { State } from '../../../parts/text/badge.tsx'
import { isEnabled, isServed, type LaneModel, type Model } from './lane-model.ts'
import { MissingModel } from './missing-model.tsx'

interface ModelChoiceProps {
  label: string
  models: readonly Model[]
  chosen: LaneModel
  onChoose: (name: string) => void
}

/** There may be thousands of models, so the list renders only when it changes, not with every chunk of a response. */
export const ModelChoice = memo(
  ModelSelect,
  (one, other) => one.models === other.models && one.chosen.name === other.chosen.name && one.label === other.label,
)

function ModelSelect({ label, models, chosen, onChoose }: ModelChoiceProps) {
  const enabled = models.filter(isEnabled)
  const groups = [
    { title: 'Ready', names: enabled.filter(isServed).map(({ name }) => name) },
    { title: 'No device', names: enabled.filter((each) => !isServed(each)).map(({ name }) => name) },
    { title: 'Not available', names: chosen.kind === 'missing' ? [chosen.name] : [] },
  ]
  const about = `about-${label.replaceAll(' ', '-')}`
  return (
    <div className="model-choice">
      <select
        className="input select"
        aria-label={label}
        aria-describedby={about}
        value={chosen.name}
        onChange={(event) => onChoose(event.target.value)}
      >
        {groups
          .filter(({ names }) => names.length > 0)
          .map(({ title, names }) => (
            <optgroup key={title} label={title}>
              {names.map((name) => (
                <option key={name} value={name}>
                  {showOddCharacters(name)}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
      <div id={about} className="small soft">
        {chosen.kind === 'ready' ? (
          <ModelState model={chosen.model} />
        ) : (
          <MissingModel {...{ chosen, models, onChoose }} />
        )}
      </div>
    </div>
  )
}

function ModelState({ model }: { model: Model }) {
  if (!isServed(model)) return <State tone="warn">No device serves this model right now. Requests wait for one</State>
  const serving = model.devices.filter(({ isPaused }) => !isPaused)
  const facts = [
    `Served by ${plural(serving.length, 'device')}`,
    model.contextLength !== null && `context ${formatContext(model.contextLength)}`,
    `${model.running} of ${plural(model.slots, 'slot')} in use`,
    model.queued > 0 && `${model.queued} waiting`,
  ]
  return <State tone="good">{facts.filter(Boolean).join(' · ')}</State>
}
