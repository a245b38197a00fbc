import { useState, type ReactNode } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { devices as devicesQuery } from '../../../api/queries/devices.ts'
import { knownModels } from '../../../api/queries/models.ts'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Loaded } from '../../../parts/feedback/states.tsx'
import { useRead } from '../../../session/use-read.ts'
import { bestMachine } from './device-fit.ts'
import { ChooseDevices } from './choose-devices.tsx'
import { ChooseModel } from './choose-model.tsx'
import { machineOf, openMachines, type DeviceMachine } from './device-machine.ts'
import type { ModelChoice } from './model-choice.ts'

interface AddProps {
  models: readonly Shapes['Model'][]
  onClose: () => void
  /** The first device has started its download. */
  onAdded: (name: string) => void
  /** Enable a model without a download instead. */
  onEnableOnly: () => void
}

/** First the model, then the devices that download it. */
export function AddDialog({ models: own, onClose, onAdded, onEnableOnly }: AddProps) {
  const [choice, setChoice] = useState<ModelChoice>()
  const [words, setWords] = useState('')
  const [device, setDevice] = useState<string>()
  const title = choice === undefined ? 'Add a model' : `Add ${choice.title}`
  const about =
    choice === undefined
      ? 'Your devices download it. It accepts requests as soon as the first one has it.'
      : 'Choose the devices that download it.'
  return (
    <Dialog shape="wide" title={title} about={about} onClose={onClose}>
      <LoadedLists device={device}>
        {({ known, machines, machine }) =>
          choice === undefined ? (
            <ChooseModel
              {...{ own, known, machines, machine, words, onEnableOnly }}
              onWords={setWords}
              onMachine={setDevice}
              onChoose={setChoice}
            />
          ) : (
            <ChooseDevices {...{ choice, machines, machine, onClose, onAdded }} onBack={() => setChoice(undefined)} />
          )
        }
      </LoadedLists>
    </Dialog>
  )
}

interface Lists {
  known: readonly Shapes['ListedModel'][]
  machines: readonly DeviceMachine[]
  /** The one that someone chooses a model for. */
  machine: DeviceMachine | undefined
}

interface LoadedListsProps {
  /** The chosen one. Without a choice, the best counts. */
  device: string | undefined
  children: (lists: Lists) => ReactNode
}

function LoadedLists({ device, children }: LoadedListsProps) {
  const known = useRead(knownModels)
  const devices = useRead(devicesQuery)
  const listsOf = (models: Lists['known'], all: readonly Shapes['Device'][]): Lists => {
    const machines = all.map((one) => machineOf(one, models))
    const open = openMachines(machines)
    const machine = open.find((one) => one.device.id === device) ?? bestMachine(open)
    return { known: models, machines, machine }
  }
  return (
    <Loaded query={known}>
      {(models) => <Loaded query={devices}>{(all) => children(listsOf(models, all))}</Loaded>}
    </Loaded>
  )
}
