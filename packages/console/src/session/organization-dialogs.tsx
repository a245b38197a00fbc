import { api, send } from '../api/client.ts'
import { organizationApi } from '../api/organization-api.ts'
import { refetchMe } from '../api/changes.ts'
import { forgetPerson } from '../api/query-client.ts'
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx'
import { NameDialog } from '../parts/dialog/name-dialog.tsx'
import { useSession } from './session.ts'

export function NewOrganizationDialog({ onClose, onMade }: { onClose: () => void; onMade: (id: string) => void }) {
  return (
    <NameDialog
      title="New organization"
      about="Each organization has its own devices, models, keys and members."
      action="Create organization"
      name=""
      onClose={onClose}
      onSave={async (name) => {
        const { id } = await send(api.POST('/organizations', { body: { name } }))
        await refetchMe()
        onMade(id)
      }}
    />
  )
}

export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { organization } = useSession()
  return (
    <ConfirmDialog
      title="Leave"
      of={organization.name}
      action="Leave organization"
      onClose={onClose}
      act={async () => {
        await organizationApi(organization.id).post('/leave')
        forgetPerson()
        await refetchMe()
      }}
    >
      <p>Your keys in this organization stop working immediately. To come back, you need a new invitation.</p>
      <p>The last owner can't leave. Make someone else an owner first.</p>
    </ConfirmDialog>
  )
}
