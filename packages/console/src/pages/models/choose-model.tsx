import { ArrowRight } from 'lucide-react'
import type { FormEvent } from 'react'
import type { Shapes } from '../../api/client.ts'
import { formatBytes, formatContext, plural } from '../../lib/format.ts'
import { Button } from '../../parts/button.tsx'
import { TextField } from '../../parts/field.tsx'
import { Problem } from '../../parts/states.tsx'
import { orderByFit, summarizeFit } from './device-fit.ts'
import { Offers } from './offers.tsx'
import { useLookUp } from './use-look-up.ts'

type Known = Shapes['ListedModel']
type Device = Shapes['Device']

/** A model to download, from the list or from a reference that someone typed. */
export interface ModelChoice {
  name: string
  title: string
  /** What a device is asked for. */
  source: string
  bytes: number
  memoryBytes: number
  license: { name: string; url?: string } | undefined
  contextLength: number | undefined
}

/** Few, so that the list of models stays in sight. */
const MOST_OFFERS = 3

interface ChooseProps {
  /** The organization's models. */
  own: readonly Shapes['Model'][]
  known: readonly Known[]
  devices: readonly Device[]
  words: string
  onWords: (words: string) => void
  onChoose: (choice: ModelChoice) => void
  onEnableOnly: () => void
}

export function ChooseModel({ own, known, devices, words, onWords, onChoose, onEnableOnly }: ChooseProps) {
  const typed = words.trim()
  const found = orderByFit(
    known.filter((model) => matches(model, typed)),
    devices,
  )
  const exact = known.find(({ name, aliases }) => [name, ...aliases].some((one) => isSame(one, typed)))
  const { lookUp, isBusy, failure } = useLookUp(devices, onChoose)
  const act = (event: FormEvent): void => {
    event.preventDefault()
    if (exact) onChoose(toChoice(exact))
    else if (typed !== '') lookUp(typed)
  }
  return (
    <form className="stack" onSubmit={act}>
      <TextField
        label="Search, or enter a name or reference"
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        placeholder="qwen3:8b, hf:owner/name or https://…"
        value={words}
        onChange={(event) => onWords(event.target.value)}
      />
      {typed !== '' && exact === undefined && (
        <Button type="submit" className="add-typed" icon={ArrowRight} isBusy={isBusy}>
          Look up “{typed}”
        </Button>
      )}
      {failure !== undefined && <Problem error={failure} />}
      <NoDevices devices={devices} />
      {typed === '' && <Offers models={own} most={MOST_OFFERS} />}
      <ul className="add-models" aria-label="Models">
        {found.map((model) => (
          <li key={model.name}>
            <KnownModel model={model} devices={devices} onChoose={() => onChoose(toChoice(model))} />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="soft">No listed model matches. Look it up to find it on the model hub.</p>}
      <p className="soft small add-other">
        A device has the model already?
        <Button kind="quiet" size="small" onClick={onEnableOnly}>
          Enable a name without a download
        </Button>
      </p>
    </form>
  )
}

function KnownModel({ model, devices, onChoose }: { model: Known; devices: readonly Device[]; onChoose: () => void }) {
  const { title, name, goodAt, bytes, license, contextLength, maker } = model
  return (
    <button type="button" className="add-model" onClick={onChoose}>
      <span className="add-model-head">
        <span className="add-model-title">{title}</span>
        <code className="soft small">{name}</code>
        <span className="add-model-size numbers">{formatBytes(bytes)}</span>
      </span>
      <span className="add-model-about">{capital(goodAt)}.</span>
      <span className="soft small numbers">
        {maker} · {license.name} · {formatContext(contextLength)} context
      </span>
      <FitLine devices={devices} model={model} />
    </button>
  )
}

/** Longer lists of devices are counted. */
const MOST_NAMED = 3

function FitLine({ devices, model }: { devices: readonly Device[]; model: Known }) {
  const { fits, lacks } = summarizeFit(devices, model)
  if (fits.length === 0 && lacks.length === 0) return null
  return (
    <span className="small add-fit">
      {fits.length > 0 && <span className="add-fits">Fits on {some(fits, 'devices')}</span>}
      {lacks.length > 0 && (
        <span className="soft">
          {fits.length > 0 ? 'Not on ' : 'Fits on no device: '}
          {some(lacks, 'devices')}
        </span>
      )}
    </span>
  )
}

function some(names: readonly string[], many: string): string {
  const rest = names.length - MOST_NAMED
  return rest <= 0 ? names.join(', ') : `${names.slice(0, MOST_NAMED).join(', ')} and ${rest} more ${many}`
}

function NoDevices({ devices }: { devices: readonly Device[] }) {
  const open = devices.filter(({ library }) => library?.isOpen === true)
  if (open.length > 0) return null
  const text =
    devices.length === 0
      ? 'You have no devices yet. Add one on the Devices page first.'
      : `None of your ${plural(devices.length, 'device')} takes models right now. Choose a model to see why.`
  return <p className="add-note">{text}</p>
}

function matches({ name, title, maker, goodAt, aliases, license }: Known, typed: string): boolean {
  const text = [name, title, maker, goodAt, license.name, ...aliases].join(' ').toLowerCase()
  return typed
    .toLowerCase()
    .split(/\s+/)
    .every((word) => text.includes(word))
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

function capital(text: string): string {
  return `${text.slice(0, 1).toUpperCase()}${text.slice(1)}`
}

function toChoice({ name, title, bytes, memoryBytes, license, contextLength }: Known): ModelChoice {
  return { name, title, source: name, bytes, memoryBytes, license, contextLength }
}
