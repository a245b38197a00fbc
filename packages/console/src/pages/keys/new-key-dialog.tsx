import { useQuery } from '@tanstack/react-query'
import { overview as overviewQuery } from '../../api/queries.ts'
import { Button } from '../../parts/button.tsx'
import { Code } from '../../parts/copy-button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog.tsx'
import { Name } from '../../parts/name.tsx'
import { useSession } from '../../session/session.ts'

interface NewKeyProps {
  name: string
  secret: string
  onClose: () => void
}

/** The only moment the secret can be seen. It closes by its button alone, so that no stray click loses it. */
export function NewKeyDialog({ name, secret, onClose }: NewKeyProps) {
  const { organization } = useSession()
  const { data } = useQuery(overviewQuery(organization.id))
  return (
    <Dialog
      shape="wide"
      title={
        <>
          Your key <Name text={name} />
        </>
      }
      about="Copy it now: it is not kept here and cannot be shown again."
    >
      <Code text={secret} label="Key" />
      <div className="stack-small">
        <h3>In a shell</h3>
        <Code
          text={`export HEARTH_API_KEY=${secret}\nexport HEARTH_BASE_URL=${data?.baseUrl ?? ''}`}
          label="Key and address for a shell"
        />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
