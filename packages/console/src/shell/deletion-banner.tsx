import { Trash2 } from 'lucide-react'
import { api, send } from '../api/client.ts'
import { formatMoment } from '../lib/format.ts'
import { Button } from '../parts/control/button.tsx'
import { report } from '../parts/feedback/toasts.tsx'
import { useSession } from '../session/session.ts'
import { useChange } from '../session/use-change.ts'

/** Says that the organization is being deleted, and lets owners keep it. */
export function DeletionBanner() {
  const { deletesAt, role } = useSession().organization
  return (
    <div role="status">
      {deletesAt !== null && (
        <div className="banner deletion-banner">
          <Trash2 size={17} aria-hidden />
          <p>
            This organization will be deleted on {formatMoment(deletesAt)}. Its API keys don't work, and nothing can be
            changed. {role !== 'owner' && 'An owner can restore it until then.'}
          </p>
          {role === 'owner' && <RestoreButton />}
        </div>
      )}
    </div>
  )
}

function RestoreButton() {
  const { mutateAsync, isPending } = useChange(['organization', 'keys', 'devices'], async (path) =>
    send(api.POST('/organizations/{organization}/restore', { params: { path } })),
  )
  return (
    <Button isBusy={isPending} onClick={() => report(mutateAsync(), 'Organization restored')}>
      Restore
    </Button>
  )
}
