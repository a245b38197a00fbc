import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
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
  /** Enable a name without a download instead. */
  onEnableOnly: () => void
}

/** First the model, then the devices that download it. */
export function AddDialog({ models: own, onClose, onAdded, onEnableOnly }: AddProps) {
  const { organization } = useSession()
  const known = useQuery(knownModels(organization.id))
  const devices = useQuery(devicesQuery(organization.id))
  const [choice, setChoice] = useState<ModelChoice>()
  const [words, setWords] = useState('')
  const title = choice === undefined ? 'Add a model' : `Add ${choice.title}`
  const about =
    choice === undefined
      ? 'Your devices download it. It accepts requests as soon as the first one has it.'
      : 'Choose the devices that download it.'
  return (
    <Dialog shape="wide" title={title} about={about} onClose={onClose}>
      <Loaded query={known}>
        {(models) => (
          <Loaded query={devices}>
            {(all) =>
              choice === undefined ? (
                <ChooseModel
                  own={own}
                  known={models}
                  devices={all}
                  words={words}
                  onWords={setWords}
                  onChoose={setChoice}
                  onEnableOnly={onEnableOnly}
                />
              ) : (
                <ChooseDevices
                  choice={choice}
                  devices={all}
                  onBack={() => setChoice(undefined)}
                  onClose={onClose}
                  onAdded={onAdded}
                />
              )
            }
          </Loaded>
        )}
      </Loaded>
    </Dialog>
  )
}
