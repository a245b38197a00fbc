import { api, send, type Shapes } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { plural } from '../../lib/format.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Name } from '../../parts/name.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'

export function RemoveMemberDialog({ member, onClose }: { member: Shapes['Member']; onClose: () => void }) {
  const { organization } = useSession()
  const { mutateAsync } = useChange(organization.id, ['members', 'keys'], async () => {
    const path = { organization: organization.id, person: member.person }
    await send(api.DELETE('/organizations/{organization}/members/{person}', { params: { path } }))
  })
  return (
    <ConfirmDialog
      title={
        <>
          Remove <Name text={member.name} />
        </>
      }
      action="Remove member"
      typed={member.name}
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync(undefined)
        showToast('Member removed')
      }}
    >
      <p>They lose access to this organization. Devices they added stay.</p>
      <p>
        {member.activeKeys === 0
          ? 'They have no active keys.'
          : `${plural(member.activeKeys, 'active key stops', 'active keys stop')} working immediately.`}
      </p>
    </ConfirmDialog>
  )
}
