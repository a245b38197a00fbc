import { Trash2 } from 'lucide-react'
import { Button } from '../parts/control/button.tsx'
import { report } from '../parts/feedback/toasts.tsx'
import { useSession } from '../session/session.ts'
import { Banner } from '../parts/feedback/note.tsx'
import { formatDateTime } from '../lib/format.ts'
import { useChange } from '../session/use-change.ts'

/** Says that the organization is being deleted, and lets owners keep it. */
export function DeletionBanner() {
  const { deletesAt, role } = useSession().organization
  const { mutateAsync, isPending } = useChange(['organization', 'keys', 'devices'], async (own) => own.post('/restore'))
  return (
    <div role="status">
      {deletesAt !== null && (
        <Banner icon={Trash2}>
          <p className="flex-1">
            This organization will be deleted on {formatDateTime(deletesAt)}. Its API keys don't work, and nothing can
            be changed. {role !== 'owner' && 'An owner can restore it until then.'}
          </p>
          {role === 'owner' && (
            <Button isBusy={isPending} onClick={() => report(mutateAsync(), 'Organization restored')}>
              Restore
            </Button>
          )}
        </Banner>
      )}
    </div>
  )
}
