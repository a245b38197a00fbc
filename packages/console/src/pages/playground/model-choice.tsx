import { useNavigate, useSearch } from '@tanstack/react-router'
import { memo, useEffect } from 'react'
import type { Shapes } from '../../api/client.ts'
import { formatContext, plural } from '../../lib/format.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { State } from '../../parts/badge.tsx'
import { useKept } from './use-kept.ts'

type Model = Shapes['Model']

export function isServed({ devices }: Model): boolean {
  return devices.some(({ isPaused }) => !isPaused)
}

/** The model in the URL, the one chosen before, or one that a device serves. */
export function useChosenModel(organization: string, models: readonly Model[]): [Model, (name: string) => void] {
  const { open } = useSearch({ strict: false })
  const navigate = useNavigate()
  const [chosen, setChosen] = useKept<string | undefined>(organization, 'model', undefined)
  const find = (wanted: string | undefined) => models.find(({ name }) => name === wanted)
  const model = find(open) ?? find(chosen) ?? models.find(isServed) ?? models[0]!
  useEffect(() => setChosen(model.name), [model.name, setChosen])
  return [model, (name) => void navigate({ to: '.', search: { open: name }, replace: true })]
}

interface ModelChoiceProps {
  models: readonly Model[]
  model: Model
  onChoose: (name: string) => void
}

/** There may be thousands of models, so the list renders only when it changes, not with every chunk of a response. */
export const ModelChoice = memo(ModelSelect, (one, other) => one.models === other.models && one.model === other.model)

function ModelSelect({ models, model, onChoose }: ModelChoiceProps) {
  const groups = [
    { title: 'Ready', models: models.filter(isServed) },
    { title: 'No device', models: models.filter((each) => !isServed(each)) },
  ]
  return (
    <div className="model-choice">
      <select
        className="input select"
        aria-label="Model"
        aria-describedby="model-state"
        value={model.name}
        onChange={(event) => onChoose(event.target.value)}
      >
        {groups
          .filter((group) => group.models.length > 0)
          .map((group) => (
            <optgroup key={group.title} label={group.title}>
              {group.models.map(({ name }) => (
                <option key={name} value={name}>
                  {showOddCharacters(name)}
                </option>
              ))}
            </optgroup>
          ))}
      </select>
      <p id="model-state" className="small soft">
        <ModelState model={model} />
      </p>
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
