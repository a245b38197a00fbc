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
      <p>Requests for it are refused with status 403 from now on. Answers that have begun are finished.</p>
      {model.devices.length > 0 && (
        <p>
          {plural(model.devices.length, 'device')} will go on offering it: it stays in this list as offered, and can be
          enabled again.
        </p>
      )}
      <p>Keys that may only use this model keep existing, and can do nothing.</p>
    </ConfirmDialog>
  )
}
