import { useLocation, useNavigate } from '@tanstack/react-router'
import { useEffect, useEffectEvent, useState } from 'react'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { Form } from '../../../parts/dialog/form.tsx'
import { messageOf } from '../../../parts/feedback/states.tsx'
import { showProblem } from '../../../parts/feedback/toasts.tsx'
import { Facts } from '../../../parts/text/facts.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { isEnabled, type Model } from '../models/lane-model.ts'
import { changesOf, readSharedPreset, type SharedPreset } from './preset.ts'

interface SharedPresetProps {
  models: readonly Model[]
  onUse: (preset: SharedPreset) => void
}

/** Shows all of a preset that came with a link. Nothing changes before you say so. */
export function SharedPresetDialog({ models, onUse }: SharedPresetProps) {
  const [preset, setPreset] = usePresetInUrl()
  if (!preset) return null
  const { name, model, settings } = preset
  const close = () => setPreset(undefined)
  const isThere = models.some((one) => one.name === model && isEnabled(one))
  return (
    <Dialog title="Shared preset" of={name} about="From a link. Use it only if you trust its sender." onClose={close}>
      <Form act={async () => (onUse(preset), close())} action="Use preset" onClose={close}>
        <Facts
          facts={[
            ['model', <Name key="model" text={model} isStrong />],
            ...changesOf(settings).map(
              ([field, value]) =>
                [
                  field,
                  <pre key={field} className="preset-value model-text">
                    {String(value)}
                  </pre>,
                ] as const,
            ),
          ]}
        />
        {!isThere && <p className="warn">This model is not enabled here. You can choose another one afterwards.</p>}
      </Form>
    </Dialog>
  )
}

/** Takes the preset out of the URL, so that a reload or a bookmark does not ask again. */
function usePresetInUrl() {
  const [preset, setPreset] = useState<SharedPreset>()
  const hash = useLocation({ select: (location) => location.hash })
  const navigate = useNavigate()
  const take = useEffectEvent(() => {
    try {
      const found = readSharedPreset(window.location.hash)
      if (!found) return
      setPreset(found)
    } catch (error) {
      showProblem(new Error(`Can’t use the preset in this link: ${messageOf(error)}. Nothing was changed.`))
    }
    void navigate({ to: '.', search: (before) => before, hash: '', replace: true })
  })
  useEffect(() => take(), [hash])
  return [preset, setPreset] as const
}
