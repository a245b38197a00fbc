import { api, send } from '../api/client.ts'
import { readMeAgain } from '../api/changes.ts'
import { forgetPerson } from '../api/query-client.ts'
import { ConfirmDialog } from '../parts/dialog/confirm-dialog.tsx'
import { NameDialog } from '../parts/dialog/name-dialog.tsx'
import { showToast } from '../parts/feedback/toasts.tsx'
import { useSession } from './session.ts'
import { useChange } from './use-change.ts'

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
        await readMeAgain()
        onMade(id)
      }}
    />
  )
}

export function RenameOrganizationDialog({ onClose }: { onClose: () => void }) {
  const { organization } = useSession()
  const { mutateAsync } = useChange(['organization'], async (path, name: string) =>
    send(api.PATCH('/organizations/{organization}', { params: { path }, body: { name } })),
  )
  return (
    <NameDialog
      title="Rename organization"
      about="Keys, devices and models keep working."
      action="Rename"
      name={organization.name}
      onClose={onClose}
      onSave={async (name) => {
        await mutateAsync(name)
        showToast('Organization renamed')
      }}
    />
  )
}

export function DeleteOrganizationDialog({ onClose }: { onClose: () => void }) {
  const { organization } = useSession()
  const { mutateAsync } = useChange(['organization', 'keys', 'devices'], async (path) =>
    send(api.POST('/organizations/{organization}/delete', { params: { path }, body: { name: organization.name } })),
  )
  return (
    <ConfirmDialog
      title="Delete"
      of={organization.name}
      action="Delete organization"
      typed={organization.name}
      onClose={onClose}
      onConfirm={async () => mutateAsync()}
    >
      <p>All API keys stop working immediately, devices get no more requests, and nobody can change anything.</p>
      <p>
        In seven days, everything is deleted: members, keys, devices, models, usage and the audit log. Until then, any
        owner can restore the organization.
      </p>
    </ConfirmDialog>
  )
}

export function LeaveDialog({ onClose }: { onClose: () => void }) {
  const { organization } = useSession()
  return (
    <ConfirmDialog
      title="Leave"
      of={organization.name}
      action="Leave organization"
      typed={organization.name}
      onClose={onClose}
      onConfirm={async () => {
        const path = { organization: organization.id }
        await send(api.POST('/organizations/{organization}/leave', { params: { path } }))
        forgetPerson()
        await readMeAgain()
      }}
    >
      <p>Your keys in this organization stop working immediately. To come back, you need a new invitation.</p>
      <p>The last owner can't leave. Make someone else an owner first.</p>
    </ConfirmDialog>
  )
}
