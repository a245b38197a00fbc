import type { Schemas } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { plural } from '../../lib/format.ts'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'

interface RemoveProps {
  model: Schemas['Model']
  onClose: () => void
}

export function RemoveModelDialog({ model, onClose }: RemoveProps) {
  const { mutateAsync } = useChange(['models'], async (own) => own.delete('/models', { query: { name: model.name } }))
  return (
    <ConfirmDialog
      title="Remove"
      of={model.name}
      action="Remove model"
      onClose={onClose}
      act={mutateAsync}
      done="Model removed"
    >
      <p>New requests for this model get a 403. Responses in progress finish.</p>
      {model.devices.length > 0 && (
        <p>
          {plural(model.devices.length, 'device still has', 'devices still have')} this model. It stays in the list as
          available, and you can enable it again.
        </p>
      )}
      <p>Keys limited to this model stay, but their requests will fail.</p>
    </ConfirmDialog>
  )
}
