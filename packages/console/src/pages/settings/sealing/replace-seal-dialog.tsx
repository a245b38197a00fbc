import { useState } from 'react'
import { api, send } from '../../../api/client.ts'
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { useSession } from '../../../session/session.ts'
import { useChange } from '../../../session/use-change.ts'
import { SealField } from './seal-field.tsx'

export function ReplaceSealDialog({ onClose }: { onClose: () => void }) {
  const { organization } = useSession()
  const [seal, setSeal] = useState('')
  const { mutateAsync } = useChange(['organization'], async (path) => {
    const body = { seal: seal.trim(), name: organization.name }
    return send(api.PATCH('/organizations/{organization}/sealing', { params: { path }, body }))
  })
  return (
    <ConfirmDialog
      title="Replace the seal"
      action="Replace seal"
      typed={organization.name}
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync()
        showToast('Seal replaced')
      }}
    >
      <p>
        Every device and administrator has to be approved again with the new seal. Clients that know the old seal reject
        everything until you give them the new one.
      </p>
      <SealField label="New seal" value={seal} onChange={setSeal} />
    </ConfirmDialog>
  )
}
