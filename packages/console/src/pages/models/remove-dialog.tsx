import type { Schemas } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { plural } from '../../lib/format.ts'
import { EndDialog } from '../../parts/dialog/end-dialog.tsx'

interface RemoveProps {
  model: Schemas['Model']
  onClose: () => void
}

export function RemoveModelDialog({ model, onClose }: RemoveProps) {
  const { mutateAsync } = useChange(['models'], async (own) => own.delete('/models', { query: { name: model.name } }))
  return (
    <EndDialog verb="Remove" thing="model" of={model.name} act={mutateAsync} onClose={onClose}>
      <p>New requests for this model get a 403. Responses in progress finish.</p>
      {model.devices.length > 0 && (
        <p>
          {plural(model.devices.length, 'device still has', 'devices still have')} this model. It stays in the list as
          available, and you can enable it again.
        </p>
      )}
      <p>Keys limited to this model stay, but their requests will fail.</p>
    </EndDialog>
  )
}
