import { api, send, type Shapes } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { plural } from '../../lib/format.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Name } from '../../parts/name.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'

interface RemoveProps {
  model: Shapes['Model']
  onClose: () => void
}

export function RemoveModelDialog({ model, onClose }: RemoveProps) {
  const { organization } = useSession()
  const { mutateAsync } = useChange(organization.id, ['models'], async () => {
    const params = { path: { organization: organization.id }, query: { name: model.name } }
    await send(api.DELETE('/organizations/{organization}/models', { params }))
  })
  return (
    <ConfirmDialog
      title={
        <>
          Remove <Name text={model.name} />
        </>
      }
      action="Remove model"
      typed={model.name}
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync(undefined)
        showToast('Model removed')
      }}
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
