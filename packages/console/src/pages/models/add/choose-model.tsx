import { useState, type FormEvent } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { plural } from '../../../lib/format.ts'
import { Button } from '../../../parts/control/button.tsx'
import { TextField, SelectField } from '../../../parts/control/field.tsx'
import { Comparison } from './comparison.tsx'
import { openMachines, type DeviceMachine, describeMachine } from './device-machine.ts'
import { HubModels, useLookUp } from './hub-models.tsx'
import { KnownModels } from './known-models.tsx'
import { chooseListed, type ModelChoice } from './model-choice.ts'
import { Offers } from './offers.tsx'
import { Picks } from './picks.tsx'

type Known = Shapes['ListedModel']

/** Few, so that the list of models stays in sight. */
const MOST_OFFERS = 3

interface ChooseProps {
  /** The organization's models. */
  own: readonly Shapes['Model'][]
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
  const { own, known, machine, machines, words, onWords, onChoose, onEnableOnly } = props
  const typed = words.trim()
  const lookUp = useLookUp({ typed, known, machine, machines })
  const exact = known.find(({ name, aliases }) => [name, ...aliases].some((one) => isSame(one, typed)))
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
      <NoDevices machines={machines} />
      {typed === '' && <Offers models={own} most={MOST_OFFERS} />}
      <Shelves typed={typed} {...props} />
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

/** Suggestions or a comparison, then the list. */
function Shelves({ typed, known, machine, machines, onMachine, onChoose }: ChooseProps & { typed: string }) {
  const [compared, setCompared] = useState<readonly string[]>([])
  const choose = (model: Known): void => onChoose(chooseListed(model))
  const both = compared.flatMap((name) => known.find((model) => model.name === name) ?? [])
  const onCompare = (name: string): void => setCompared(toggle(compared, name))
  return (
    <>
      {machine && <ChooseMachine machine={machine} machines={openMachines(machines)} onChange={onMachine} />}
      {both.length === 2 && (
        <Comparison models={both} machine={machine} onChoose={choose} onClear={() => setCompared([])} />
      )}
      {both.length < 2 && typed === '' && machine && <Picks machine={machine} known={known} onChoose={choose} />}
      <KnownModels
        found={known.filter((model) => matches(model, typed))}
        {...{ machine, machines, compared, onCompare }}
        onChoose={choose}
      />
    </>
  )
}

/** At most two: a third takes the place of the first. */
function toggle(compared: readonly string[], name: string): string[] {
  return compared.includes(name) ? compared.filter((one) => one !== name) : [...compared, name].slice(-2)
}

function NoDevices({ machines }: { machines: readonly DeviceMachine[] }) {
  if (openMachines(machines).length > 0) return null
  const text =
    machines.length === 0
      ? 'You have no devices yet. Add one on the Devices page first.'
      : `None of your ${plural(machines.length, 'device')} can download models right now. Choose a model to see why.`
  return <p className="bg-warn-soft rounded text-warn px-8 py-6">{text}</p>
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
