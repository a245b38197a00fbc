import { ArrowRight } from 'lucide-react'
import type { Shapes } from '../../../api/client.ts'
import { plural } from '../../../lib/format.ts'
import { useSubmit } from '../../../lib/use-submit.ts'
import { Button } from '../../../parts/control/button.tsx'
import { TextField } from '../../../parts/control/field.tsx'
import { Problem } from '../../../parts/feedback/states.tsx'
import { useSession } from '../../../session/session.ts'
import { orderByFit } from './device-fit.ts'
import { KnownModel } from './known-model.tsx'
import { lookUpModel } from './look-up-model.ts'
import { chooseListed, type ModelChoice } from './model-choice.ts'
import { Offers } from './offers.tsx'

type Known = Shapes['ListedModel']
type Device = Shapes['Device']

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

export function ChooseModel(props: ChooseProps) {
  const { own, devices, words, onWords, onEnableOnly } = props
  const typed = words.trim()
  const { exact, submit, isBusy, failure } = useTypedModel(typed, props)
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="Search, or enter a name or reference"
        autoFocus
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
      <KnownModels typed={typed} {...props} />
      <p className="soft small add-other">
        Does a device already have the model?
        <Button kind="quiet" size="small" onClick={onEnableOnly}>
          Enable it without a download
        </Button>
      </p>
    </form>
  )
}

/** Enter chooses the listed model with exactly this name, or looks the name up. */
function useTypedModel(typed: string, { known, devices, onChoose }: ChooseProps) {
  const { organization } = useSession()
  const exact = known.find(({ name, aliases }) => [name, ...aliases].some((one) => isSame(one, typed)))
  const submission = useSubmit(async () => {
    if (exact) onChoose(chooseListed(exact))
    else if (typed !== '') onChoose(await lookUpModel(organization.id, devices, typed))
  })
  return { exact, ...submission }
}

function KnownModels({ typed, known, devices, onChoose }: ChooseProps & { typed: string }) {
  const found = orderByFit(
    known.filter((model) => matches(model, typed)),
    devices,
  )
  return (
    <>
      <ul className="add-models" aria-label="Models">
        {found.map((model) => (
          <li key={model.name}>
            <KnownModel model={model} devices={devices} onChoose={() => onChoose(chooseListed(model))} />
          </li>
        ))}
      </ul>
      {found.length === 0 && <p className="soft">No listed model matches. Look it up to find it on the model hub.</p>}
    </>
  )
}

function NoDevices({ devices }: { devices: readonly Device[] }) {
  const open = devices.filter(({ library }) => library?.isOpen === true)
  if (open.length > 0) return null
  const text =
    devices.length === 0
      ? 'You have no devices yet. Add one on the Devices page first.'
      : `None of your ${plural(devices.length, 'device')} can download models right now. Choose a model to see why.`
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
