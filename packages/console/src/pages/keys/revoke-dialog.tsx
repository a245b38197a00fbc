import type { Schemas } from '../../api/client.ts'
import { useChange } from '../../session/use-change.ts'
import { EndDialog } from '../../parts/dialog/end-dialog.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'

export function RevokeDialog({ keyToEnd, onClose }: { keyToEnd: Schemas['Key']; onClose: () => void }) {
  const { mutateAsync } = useChange(['keys'], async (own) => own.delete('/keys/{key}', { key: keyToEnd.id }))
  return (
    <EndDialog verb="Revoke" thing="key" of={keyToEnd.name} act={mutateAsync} onClose={onClose}>
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
    </EndDialog>
  )
}
