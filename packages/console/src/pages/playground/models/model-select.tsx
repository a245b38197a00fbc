import { memo } from 'react'
import { formatContext, plural } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { State } from '../../../parts/text/badge.tsx'
import { isEnabled, isServed, type ChosenModel, type Model, suggestModel } from './chosen-model.ts'
import { Link } from '@tanstack/react-router'
import { Button } from '../../../parts/control/button.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { useSession } from '../../../session/session.ts'

interface ModelSelectProps {
  label: string
  models: readonly Model[]
  chosen: ChosenModel
  onChoose: (name: string) => void
}

/** There may be thousands of models, so the list renders only when it changes, not with every chunk of a response. */
export const ModelSelect = memo(
  Select,
  (one, other) => one.models === other.models && one.chosen.name === other.chosen.name && one.label === other.label,
)

function Select({ label, models, chosen, onChoose }: ModelSelectProps) {
  const enabled = models.filter(isEnabled)
  const groups = [
    { title: 'Ready', names: enabled.filter(isServed).map(({ name }) => name) },
    { title: 'No device', names: enabled.filter((each) => !isServed(each)).map(({ name }) => name) },
    { title: 'Not available', names: chosen.kind === 'missing' ? [chosen.name] : [] },
  ]
  const about = `about-${label.replaceAll(' ', '-')}`
  return (
    <div className="grid gap-3 flex-[1_1_18rem] max-w-300 min-w-0 [&_.state]:ps-2 [&_.state]:whitespace-normal [.column-head>&]:max-w-none narrow:[.playground-toolbar>&]:contents">
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
      <div
        id={about}
        className="text-small text-soft narrow:[.playground-toolbar>*>&]:row-2 narrow:[.playground-toolbar>*>&]:col-span-full"
      >
        {chosen.kind === 'ready' ? (
          <ModelState {...{ model: chosen.model, models, onChoose }} />
        ) : (
          <MissingModel {...{ chosen, models, onChoose }} />
        )}
      </div>
    </div>
  )
}

type ModelStateProps = Pick<ModelSelectProps, 'models' | 'onChoose'> & { model: Model }

function ModelState({ model, models, onChoose }: ModelStateProps) {
  if (!isServed(model)) {
    const other = suggestModel(models, model.name)
    return (
      <div className="row">
        <State tone="warn" word="No device serves this model right now. Requests wait for one" />
        {isServed(other) && <UseModel {...{ other, onChoose }} />}
      </div>
    )
  }
  const serving = model.devices.filter(({ isPaused }) => !isPaused)
  const facts = [
    `Served by ${plural(serving.length, 'device')}`,
    model.contextLength !== null && `context ${formatContext(model.contextLength)}`,
    `${model.running} of ${plural(model.slots, 'slot')} in use`,
    model.queued > 0 && `${model.queued} waiting`,
  ]
  return <State tone="good" word={facts.filter(Boolean).join(' · ')} />
}

const REASONS = {
  disabled: 'is disabled. Requests for it fail.',
  adding: 'is being added. You can chat with it once a device has downloaded it.',
  offered: 'is not enabled. Requests for it fail.',
  unknown: 'is not one of your models. It may have been removed.',
}

type MissingModelProps = Pick<ModelSelectProps, 'models' | 'onChoose'> & {
  chosen: Extract<ChosenModel, { kind: 'missing' }>
}

/** Says why the chosen model can't be asked, and offers another one. */
function MissingModel({ chosen: { name, state }, models, onChoose }: MissingModelProps) {
  const { isAdmin } = useSession()
  const other = suggestModel(models)
  return (
    <div className="grid gap-4 text-warn bg-warn-soft rounded px-7.5 py-6" role="alert">
      <p>
        <Name text={name} isStrong /> {REASONS[state]}
      </p>
      <div className="row">
        <UseModel {...{ other, onChoose }} />
        {isAdmin && (
          <Link to="/models" search={state === 'unknown' ? {} : { open: name }} className="button button-small">
            Go to Models
          </Link>
        )}
      </div>
    </div>
  )
}

function UseModel({ other, onChoose }: { other: Model; onChoose: (name: string) => void }) {
  return (
    <Button size="small" onClick={() => onChoose(other.name)}>
      Use {showOddCharacters(other.name)}
    </Button>
  )
}
