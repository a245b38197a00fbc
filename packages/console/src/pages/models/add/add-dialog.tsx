import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Loaded } from '../../../parts/feedback/states.tsx'
import { useRead } from '../../../session/use-read.ts'
import { bestMachine } from './device-fit.ts'
import { ChooseDevices } from './choose-devices.tsx'
import { ChooseModel } from './choose-model.tsx'
import { machineOf, openMachines } from './device-machine.ts'
import type { ModelChoice } from './model-choice.ts'

interface AddProps {
  models: readonly Schemas['Model'][]
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
  const listed = useRead('/known-models', {}, { staleTime: 'static' })
  const devices = useRead('/devices')
  const known = listed.data?.models ?? []
  const machines = devices.data?.devices.map((one) => machineOf(one, known)) ?? []
  const open = openMachines(machines)
  // The one that someone chooses a model for. Without a choice, the best counts.
  const machine = open.find((one) => one.device.id === device) ?? bestMachine(open)
  const title = choice === undefined ? 'Add a model' : `Add ${choice.title}`
  const about =
    choice === undefined
      ? 'Your devices download it. It accepts requests as soon as the first one has it.'
      : 'Choose the devices that download it.'
  return (
    <Dialog shape="wide" title={title} about={about} onClose={onClose}>
      <Loaded query={listed}>
        {() => (
          <Loaded query={devices}>
            {() =>
              choice === undefined ? (
                <ChooseModel
                  {...{ own, known, machines, machine, words, onEnableOnly }}
                  onWords={setWords}
                  onMachine={setDevice}
                  onChoose={setChoice}
                />
              ) : (
                <ChooseDevices
                  {...{ choice, machines, machine, onClose, onAdded }}
                  onBack={() => setChoice(undefined)}
                />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  )
}
