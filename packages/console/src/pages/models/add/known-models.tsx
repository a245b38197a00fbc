import { useId } from 'react'
import type { Schemas } from '../../../api/client.ts'
import type { DeviceMachine } from './device-machine.ts'
import { groupModels } from './model-groups.ts'
import { firstTokenText, fitText, speedText, type Estimate } from '@hearth/model-list'
import { capitalize, formatBytes, formatContext } from '../../../lib/format.ts'
import { summarizeFit } from './device-fit.ts'

type Known = Schemas['ListedModel']

/** A model to choose. */
export const ROW = 'grid gap-2 w-full text-left px-9 py-7.5 hover:bg-hover focus-visible:-outline-offset-2 phone:pb-3.5'
export const WARNING = 'bg-warn-soft rounded text-warn px-8 py-6'

interface KnownModelsProps {
  found: readonly Known[]
  /** The one that someone chooses a model for. */
  machine: DeviceMachine | undefined
  machines: readonly DeviceMachine[]
  /** Names. */
  compared: readonly string[]
  onCompare: (name: string) => void
  onChoose: (model: Known) => void
}

/** Well-known models, in groups by how well they fit. */
export function KnownModels({ found, machine, machines, compared, onCompare, onChoose }: KnownModelsProps) {
  const id = useId()
  if (found.length === 0) return null
  return (
    <ul
      className="grid max-h-[min(26rem,50dvh)] overflow-y-auto border border-line rounded empty:hidden"
      aria-label="Models"
    >
      {groupModels(found, machine).map((group, index) => (
        <li key={group.title}>
          <h3
            id={`${id}-${index}`}
            className="sticky top-0 z-1 px-9 py-4 text-small text-soft font-medium bg-sunken border-b border-line in-[li+li]:border-t"
          >
            {group.title}
          </h3>
          <ul className="divided" aria-labelledby={`${id}-${index}`}>
            {group.models.map(({ model, estimate }) => (
              <KnownModel
                key={model.name}
                {...{ model, estimate, machines }}
                isCompared={compared.includes(model.name)}
                onCompare={() => onCompare(model.name)}
                onChoose={() => onChoose(model)}
              />
            ))}
          </ul>
        </li>
      ))}
    </ul>
  )
}

interface KnownModelProps {
  model: Known
  /** On the machine that someone chooses a model for. */
  estimate: Estimate | undefined
  machines: readonly DeviceMachine[]
  isCompared: boolean
  onCompare: () => void
  onChoose: () => void
}

/** A well-known model in the list, with what to expect of it. */
function KnownModel({ model, estimate, machines, isCompared, onCompare, onChoose }: KnownModelProps) {
  const { title, name, goodAt, bytes, maker, license, contextLength } = model
  return (
    <li className="grid grid-cols-[minmax(0,1fr)_auto] phone:grid-cols-1">
      <button type="button" className={ROW} onClick={onChoose}>
        <span className="flex flex-wrap gap-x-6 gap-y-1 items-baseline">
          <span className="font-medium">{title}</span>
          <code className="text-soft text-small">{name}</code>
          <span className="tabular-nums ml-auto">{formatBytes(bytes)}</span>
        </span>
        <span>{capitalize(goodAt)}.</span>
        {estimate && <Expectation estimate={estimate} />}
        <span className="text-soft text-small tabular-nums">
          {maker} · {license.name} · {formatContext(contextLength)} context
        </span>
        {machines.length > 1 && <FitLine machines={machines} model={model} />}
      </button>
      <label className="text-small text-soft flex gap-4 items-center cursor-pointer px-9 py-7.5 phone:pt-0">
        <input
          className="m-0"
          type="checkbox"
          checked={isCompared}
          onChange={onCompare}
          aria-label={`Compare ${title}`}
        />
        Compare
      </label>
    </li>
  )
}

export function Expectation({ estimate }: { estimate: Estimate }) {
  const { fit, speed } = estimate
  if (fit.grade === 'too-large') return <span className="text-small text-warn">{fitText(fit)}</span>
  if (speed === undefined) return null
  return (
    <span className="text-small tabular-nums">
      <span className="font-medium">{speedText(estimate)}</span>
      <span className="text-soft">
        {' · first token in '}
        {firstTokenText(speed)}
        {fit.grade === 'gpu' || fit.gpuShare === 0 ? '' : ` · ${fitText(fit)}`}
      </span>
    </span>
  )
}

/** Longer lists of devices are counted. */
const MOST_NAMED = 3

function FitLine({ machines, model }: Pick<KnownModelProps, 'machines' | 'model'>) {
  const { fits, lacks } = summarizeFit(machines, model)
  if (fits.length === 0 && lacks.length === 0) return null
  return (
    <span className="text-small grid">
      {fits.length > 0 && <span className="text-good">Fits on {listSome(fits)}</span>}
      {lacks.length > 0 && (
        <span className="text-soft">
          {fits.length > 0 ? 'Not on ' : 'Fits on no device: '}
          {listSome(lacks)}
        </span>
      )}
    </span>
  )
}

function listSome(devices: readonly string[]): string {
  const rest = devices.length - MOST_NAMED
  return rest <= 0 ? devices.join(', ') : `${devices.slice(0, MOST_NAMED).join(', ')} and ${rest} more devices`
}
