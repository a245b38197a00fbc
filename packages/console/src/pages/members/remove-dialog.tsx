import { api, send, type Shapes } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { plural } from '../../lib/format.ts'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { Name } from '../../parts/text/name.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'

export function RemoveMemberDialog({ member, onClose }: { member: Shapes['Member']; onClose: () => void }) {
  const { mutateAsync } = useChange(['members', 'keys'], async (path) => {
    const params = { path: { ...path, person: member.person } }
    await send(api.DELETE('/organizations/{organization}/members/{person}', { params }))
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
        await mutateAsync()
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
