import { useQuery } from '@tanstack/react-query'
import { useState, type ReactNode } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { devices as devicesQuery } from '../../../api/queries/devices.ts'
import { knownModels } from '../../../api/queries/models.ts'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Loaded } from '../../../parts/feedback/states.tsx'
import { useSession } from '../../../session/session.ts'
import { ChooseDevices } from './choose-devices.tsx'
import { ChooseModel } from './choose-model.tsx'
import type { ModelChoice } from './model-choice.ts'
import './add-model.css'

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
  const title = choice === undefined ? 'Add a model' : `Add ${choice.title}`
  const about =
    choice === undefined
      ? 'Your devices download it. It accepts requests as soon as the first one has it.'
      : 'Choose the devices that download it.'
  return (
    <Dialog shape="wide" title={title} about={about} onClose={onClose}>
      <LoadedLists>
        {(known, devices) =>
          choice === undefined ? (
            <ChooseModel {...{ own, known, devices, words, onEnableOnly }} onWords={setWords} onChoose={setChoice} />
          ) : (
            <ChooseDevices {...{ choice, devices, onClose, onAdded }} onBack={() => setChoice(undefined)} />
          )
        }
      </LoadedLists>
    </Dialog>
  )
}

interface LoadedListsProps {
  children: (known: readonly Shapes['ListedModel'][], devices: readonly Shapes['Device'][]) => ReactNode
}

function LoadedLists({ children }: LoadedListsProps) {
  const { organization } = useSession()
  const known = useQuery(knownModels(organization.id))
  const devices = useQuery(devicesQuery(organization.id))
  return <Loaded query={known}>{(models) => <Loaded query={devices}>{(all) => children(models, all)}</Loaded>}</Loaded>
}
