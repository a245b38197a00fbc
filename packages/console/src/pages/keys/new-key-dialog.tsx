import type { Schemas } from '../../api/client.ts'
import { firstRequest, plainModelName } from '../../lib/snippets.ts'
import { Button } from '../../parts/control/button.tsx'
import { Code } from '../../parts/code/copy-button.tsx'
import { Dialog, DialogActions } from '../../parts/dialog/dialog.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { useUsableModels } from '../../session/example-model.ts'
import { useRead } from '../../session/use-read.ts'

export interface NewSecret {
  key: Schemas['Key']
  secret: string
}

/** The only time the secret is visible. Only its button closes the dialog, so that a stray click cannot lose the key. */
export function NewKeyDialog({ made: { key: apiKey, secret }, onClose }: { made: NewSecret; onClose: () => void }) {
  const baseUrl = useRead('/overview').data?.baseUrl ?? ''
  // A command that runs as it is, with a model the key may use.
  const usable = useUsableModels(apiKey.models).map(({ name }) => name)
  const curl = firstRequest({ baseUrl, model: plainModelName(usable) })
  return (
    <Dialog
      shape="wide"
      title={
        <>
          {apiKey.previous ? 'New secret for ' : 'Your new API key: '}
          <Name text={apiKey.name} />
        </>
      }
      about="Copy it now. You won't be able to see it again."
    >
      <Code text={secret} label="Key" />
      {apiKey.previous && (
        <p className="text-soft">
          The old secret (<code>…{apiKey.previous.hint}</code>) stops working{' '}
          <RelativeTime at={apiKey.previous.endsAt} />. Switch your apps to the new one before that.
        </p>
      )}
      {usable.length > 0 && (
        <div className="stack-small">
          <h3>Try it now</h3>
          <Code text={curl.replace('$HEARTH_API_KEY', secret)} label="First request" />
        </div>
      )}
      <div className="stack-small">
        <h3>Use it in a shell</h3>
        <Code text={`export HEARTH_API_KEY=${secret}\nexport HEARTH_BASE_URL=${baseUrl}`} label="Shell environment" />
      </div>
      <DialogActions>
        <Button kind="primary" onClick={onClose}>
          I've copied it
        </Button>
      </DialogActions>
    </Dialog>
  )
}
