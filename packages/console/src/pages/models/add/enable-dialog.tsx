import { useState } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { useChange } from '../../../session/use-change.ts'
import { Form } from '../../../parts/dialog/form.tsx'
import { Dialog } from '../../../parts/dialog/dialog.tsx'
import { TextField } from '../../../parts/control/field.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { Offers } from './offers.tsx'

/** Beyond this, the list behind the dialog is the better place to look. */
const MOST_OFFERS = 8

export function EnableDialog({ models, onClose }: { models: readonly Shapes['Model'][]; onClose: () => void }) {
  const hasOffers = models.some(({ state }) => state === 'offered')
  return (
    <Dialog title="Enable a model" about="Enabled models accept requests through the API." onClose={onClose}>
      <Offers models={models} most={MOST_OFFERS} />
      <ByName models={models} onClose={onClose} hasOffers={hasOffers} />
    </Dialog>
  )
}

interface ByNameProps {
  models: readonly Shapes['Model'][]
  hasOffers: boolean
  onClose: () => void
}

function ByName({ models, hasOffers, onClose }: ByNameProps) {
  const [name, setName] = useState('')
  const { mutateAsync } = useChange(['models'], async (own) =>
    own.put('/models', { body: { name: name.trim(), state: 'enabled' } }),
  )
  const act = async () => {
    await mutateAsync()
    showToast(`${name.trim()} is enabled`)
    onClose()
  }
  const known = models.find((model) => model.name === name.trim())
  return (
    <Form act={act} action="Enable" disabled={name.trim() === ''} onClose={onClose} closing="Close">
      <TextField
        label={hasOffers ? 'Or enter a name' : 'Name'}
        required
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        placeholder="qwen3:8b"
        hint={
          known?.state === 'enabled'
            ? 'This model is already enabled.'
            : 'Use the exact name that devices use. Requests wait until a device serves the model.'
        }
        value={name}
        onText={setName}
      />
    </Form>
  )
}
