import { firstTokenText, reasonFor, recommend, speedText } from '@hearth/model-list'
import type { Schemas } from '../../../api/client.ts'
import { capitalize, formatBytes } from '../../../lib/format.ts'
import { Badge } from '../../../parts/text/badge.tsx'
import { WARNING } from './known-models.tsx'
import { fitOn } from './device-fit.ts'
import { estimateOn, type DeviceMachine } from './device-machine.ts'

type Known = Schemas['ListedModel']

interface SuggestionsProps {
  machine: DeviceMachine
  known: readonly Known[]
  onChoose: (model: Known) => void
}

/** The two models to begin with on a machine. */
export function Suggestions({ machine, known, onChoose }: SuggestionsProps) {
  if (!machine.isDescribed) return null
  const { recommended, fast } = recommend(machine.facts, known)
  if (recommended === undefined)
    return <p className={WARNING}>No well-known model runs well on {machine.device.name}. Choose a small one below.</p>
  return (
    <ul
      className="grid grid-cols-[repeat(auto-fit,minmax(min(16rem,100%),1fr))] gap-7.5"
      aria-label={`Suggestions for ${machine.device.name}`}
    >
      <Suggestion label="Recommended" model={recommended} {...{ machine, onChoose }} />
      {fast && <Suggestion label="Fast" model={fast} {...{ machine, onChoose }} />}
    </ul>
  )
}

interface SuggestionProps extends Omit<SuggestionsProps, 'known'> {
  label: 'Recommended' | 'Fast'
  model: Known
}

function Suggestion({ label, model, machine, onChoose }: SuggestionProps) {
  const { title, goodAt, bytes } = model
  const estimate = estimateOn(machine, model)
  const fit = fitOn(machine, model)
  return (
    <li>
      <button
        type="button"
        className="size-full grid gap-2.5 content-start justify-items-start text-left bg-surface border border-line-strong rounded p-9 hover:bg-hover"
        onClick={() => onChoose(model)}
      >
        <Badge tone={label === 'Recommended' ? 'good' : 'accent'}>{label}</Badge>
        <span className="text-subheading font-strong">{title}</span>
        <span className="text-soft">{capitalize(goodAt)}.</span>
        <span className="font-medium tabular-nums">{reasonFor(machine.facts, model)}.</span>
        <span className="text-soft text-small tabular-nums">
          {estimate.speed && `First token in ${firstTokenText(estimate.speed)} · `}
          {estimate.isMeasured && `${speedText(estimate)} · `}
          {fit.kind === 'has' ? fit.note : `${formatBytes(bytes)} download`}
        </span>
        {/* The whole card is the button; this shows it. */}
        {fit.kind === 'fits' && <span className="button button-primary button-small self-end mt-3.5">Add</span>}
      </button>
    </li>
  )
}
