import { useState } from 'react'
import type { Schemas } from '../../../api/client.ts'
import { useChange } from '../../../session/use-change.ts'
import { FormDialog } from '../../../parts/dialog/form.tsx'
import { TextField } from '../../../parts/control/field.tsx'
import { AvailableModels } from './available-models.tsx'

/** Beyond this, the list behind the dialog is the better place to look. */
const MOST_AVAILABLE = 8

export function EnableDialog({ models, onClose }: { models: readonly Schemas['Model'][]; onClose: () => void }) {
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
      before={<AvailableModels models={models} most={MOST_AVAILABLE} />}
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
