import { useState } from 'react'
import type { Shapes } from '../../../api/client.ts'
import { useChange } from '../../../session/use-change.ts'
import { FormDialog } from '../../../parts/dialog/form.tsx'
import { TextField } from '../../../parts/control/field.tsx'
import { Offers } from './offers.tsx'

/** Beyond this, the list behind the dialog is the better place to look. */
const MOST_OFFERS = 8

export function EnableDialog({ models, onClose }: { models: readonly Shapes['Model'][]; onClose: () => void }) {
  const [text, setText] = useState('')
  const name = text.trim()
  const { mutateAsync } = useChange(['models'], async (own) => own.put('/models', { body: { name, state: 'enabled' } }))
  const isEnabled = models.some((model) => model.name === name && model.state === 'enabled')
  return (
    <FormDialog
      title="Enable a model"
      about="Enabled models accept requests through the API."
      act={mutateAsync}
      action="Enable"
      done={`${name} is enabled`}
      disabled={name === ''}
      onClose={onClose}
      closing="Close"
      before={<Offers models={models} most={MOST_OFFERS} />}
    >
      <TextField
        label={models.some(({ state }) => state === 'offered') ? 'Or enter a name' : 'Name'}
        required
        maxLength={256}
        autoComplete="off"
        spellCheck={false}
        placeholder="qwen3:8b"
        hint={
          isEnabled
            ? 'This model is already enabled.'
            : 'Use the exact name that devices use. Requests wait until a device serves the model.'
        }
        value={text}
        onText={setText}
      />
    </FormDialog>
  )
}
