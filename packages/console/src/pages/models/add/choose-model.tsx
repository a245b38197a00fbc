import { useState, type FormEvent } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { plural } from '../../../lib/format.ts'
import { filterRows } from '../../../lib/order-rows.ts'
import { Button } from '../../../parts/control/button.tsx'
import { TextField, SelectField } from '../../../parts/control/field.tsx'
import { ModelComparison } from './model-comparison.tsx'
import { openMachines, type DeviceMachine, describeMachine } from './device-machine.ts'
import { HubModels } from './hub-models.tsx'
import { useLookUp } from './use-look-up.ts'
import { KnownModels, WARNING } from './known-models.tsx'
import { chooseListed, type ModelChoice } from './model-choice.ts'
import { AvailableModels } from './available-models.tsx'
import { Suggestions } from './suggestions.tsx'

type Known = Schemas['ListedModel']

/** Few, so that the list of models stays in sight. */
const MOST_AVAILABLE = 3

interface ChooseProps {
  /** The organization's models. */
  own: readonly Schemas['Model'][]
  known: readonly Known[]
  /** The one that someone chooses a model for. */
  machine: DeviceMachine | undefined
  machines: readonly DeviceMachine[]
  words: string
  onWords: (words: string) => void
  onMachine: (device: string) => void
  onChoose: (choice: ModelChoice) => void
  onEnableOnly: () => void
}

export function ChooseModel(props: ChooseProps) {
  const { own, known, machine, machines, words, onWords, onMachine, onChoose, onEnableOnly } = props
  const typed = words.trim()
  const lookUp = useLookUp({ typed, known, machine, machines })
  const [compared, setCompared] = useState<readonly string[]>([])
  const both = compared.flatMap((name) => known.find((model) => model.name === name) ?? [])
  const exact = known.find(({ name, aliases }) => [name, ...aliases].some((one) => isSame(one, typed)))
  const choose = (model: Known): void => onChoose(chooseListed(model))
  // Enter chooses the model with exactly this name, or the one that the reference means.
  const submit = (event: FormEvent): void => {
    event.preventDefault()
    const usual = lookUp.isSearching ? undefined : lookUp.sizes.find(({ isUsual }) => isUsual)?.choice
    const choice = exact ? chooseListed(exact) : usual
    if (choice) onChoose(choice)
  }
  return (
    <form className="stack" onSubmit={submit}>
      <TextField
        label="Search, or paste a link"
        autoFocus
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        placeholder="qwen coder, hf:owner/name or https://…"
        value={words}
        onText={onWords}
      />
      {openMachines(machines).length === 0 && (
        <p className={WARNING}>
          {machines.length === 0
            ? 'You have no devices yet. Add one on the Devices page first.'
            : `None of your ${plural(machines.length, 'device')} can download models right now. Choose a model to see why.`}
        </p>
      )}
      {typed === '' && <AvailableModels models={own} most={MOST_AVAILABLE} />}
      {machine && <ChooseMachine machine={machine} machines={openMachines(machines)} onChange={onMachine} />}
      {both.length === 2 && (
        <ModelComparison models={both} machine={machine} onChoose={choose} onClear={() => setCompared([])} />
      )}
      {both.length < 2 && typed === '' && machine && <Suggestions machine={machine} known={known} onChoose={choose} />}
      <KnownModels
        found={filterRows(known, typed, textOf)}
        {...{ machine, machines, compared }}
        onCompare={(name) => setCompared(toggle(compared, name))}
        onChoose={choose}
      />
      {typed !== '' && <HubModels {...{ lookUp, machine, onChoose }} onLookUp={onWords} />}
      <p className="text-soft text-small flex flex-wrap gap-x-5 gap-y-0 items-center justify-center">
        Does a device already have the model?
        <Button kind="quiet" size="small" onClick={onEnableOnly}>
          Enable it without a download
        </Button>
      </p>
    </form>
  )
}

/** At most two: a third takes the place of the first. */
function toggle(compared: readonly string[], name: string): string[] {
  return compared.includes(name) ? compared.filter((one) => one !== name) : [...compared, name].slice(-2)
}

function textOf({ name, title, maker, goodAt, aliases, license }: Known): string {
  return [name, title, maker, goodAt, license.name, ...aliases].join(' ')
}

function isSame(one: string, other: string): boolean {
  return one.toLowerCase() === other.toLowerCase()
}

interface ChooseMachineProps {
  machine: DeviceMachine
  machines: readonly DeviceMachine[]
  onChange: (device: string) => void
}

/** The machine that speeds are shown for: a choice only if there are several. */
function ChooseMachine({ machine, machines, onChange }: ChooseMachineProps) {
  if (machines.length === 1)
    return (
      <p className="text-soft text-small">
        For {machine.device.name}: {describeMachine(machine) || 'its app is too old to describe it'}
      </p>
    )
  return (
    <SelectField
      label="Device"
      value={machine.device.id}
      onText={onChange}
      hint={describeMachine(machine) || undefined}
      options={machines.map(({ device }) => [device.id, device.name])}
    />
  )
}
