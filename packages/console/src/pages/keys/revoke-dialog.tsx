import type { Schemas } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'

export function RevokeDialog({ keyToEnd, onClose }: { keyToEnd: Schemas['Key']; onClose: () => void }) {
  const { mutateAsync } = useChange(['keys'], async (own) => own.delete('/keys/{key}', { key: keyToEnd.id }))
  return (
    <ConfirmDialog
      title="Revoke"
      of={keyToEnd.name}
      action="Revoke key"
      onClose={onClose}
      act={mutateAsync}
      done="Key revoked"
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
            Last used <RelativeTime at={keyToEnd.lastUsedAt} />.
          </>
        )}
      </p>
    </ConfirmDialog>
  )
}
