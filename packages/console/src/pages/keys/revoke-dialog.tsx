import { api, send, type Shapes } from '../../api/client.ts'
import { useChange } from '../../api/queries.ts'
import { ConfirmDialog } from '../../parts/confirm-dialog.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import { showToast } from '../../parts/toasts.tsx'
import { useSession } from '../../session/session.ts'

export function RevokeDialog({ keyToEnd, onClose }: { keyToEnd: Shapes['Key']; onClose: () => void }) {
  const { organization } = useSession()
  const { mutateAsync } = useChange(organization.id, ['keys'], async () => {
    const path = { organization: organization.id, key: keyToEnd.id }
    await send(api.DELETE('/organizations/{organization}/keys/{key}', { params: { path } }))
  })
  return (
    <ConfirmDialog
      title={
        <>
          Revoke <Name text={keyToEnd.name} />
        </>
      }
      action="Revoke key"
      typed={keyToEnd.name}
      onClose={onClose}
      onConfirm={async () => {
        await mutateAsync(undefined)
        showToast('Key revoked')
      }}
    >
      <p>
        Apps that use <code>…{keyToEnd.hint}</code> get a 401 from now on, and responses in progress stop. You can't
        undo this: the apps need a new key.
      </p>
      <p>
        {keyToEnd.lastUsedAt === null ? (
          'Never used.'
        ) : (
          <>
            Last used <Moment at={keyToEnd.lastUsedAt} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  )
}
