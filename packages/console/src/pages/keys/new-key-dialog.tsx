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

/** The only time the secret is visible. Only its button closes the dialog, so that a stray click cannot lose the key. */
export function NewKeyDialog({ name, secret, onClose }: NewKeyProps) {
  const { organization } = useSession()
  const { data } = useQuery(overviewQuery(organization.id))
  return (
    <Dialog
      shape="wide"
      title={
        <>
          Your new API key: <Name text={name} />
        </>
      }
      about="Copy it now. You won't be able to see it again."
    >
      <Code text={secret} label="Key" />
      <div className="stack-small">
        <h3>Use it in a shell</h3>
        <Code
          text={`export HEARTH_API_KEY=${secret}\nexport HEARTH_BASE_URL=${data?.baseUrl ?? ''}`}
          label="Shell environment"
        />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          I've copied it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
