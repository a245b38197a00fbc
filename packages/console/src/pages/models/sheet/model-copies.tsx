import { Link } from '@tanstack/react-router'
import type { Schemas } from '../../../api/client.ts'
import { useChange } from '../../../session/use-change.ts'
import { formatBytes } from '../../../lib/format.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { DialogButton } from '../../../parts/dialog/dialog-button.tsx'
import { ConfirmDialog } from '../../../parts/dialog/confirm-dialog.tsx'
import { Name } from '../../../parts/text/name.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import { useSession } from '../../../session/session.ts'

type Model = Schemas['Model']
type Copy = Schemas['ModelCopy']

/** The files of a model on devices, and how to get rid of them. */
export function ModelCopies({ model }: { model: Model }) {
  const { isAdmin } = useSession()
  if (model.copies.length === 0) return null
  return (
    <section className="stack-small">
      <h3>On disk</h3>
      <ul className="entries">
        {model.copies.map((copy) => (
          <li key={copy.device}>
            <span className="entry-head">
              <span>
                <Link to="/devices" search={{ open: copy.device }}>
                  <Name text={copy.name} />
                </Link>{' '}
                <span className="text-soft text-small tabular-nums">{formatBytes(copy.bytes)}</span>
              </span>
              {isAdmin && copy.isChangeable && (
                <DialogButton
                  size="small"
                  aria-label={`Remove from ${showOddCharacters(copy.name)}`}
                  renderDialog={(close) => <RemoveCopyDialog model={model} copy={copy} onClose={close} />}
                >
                  Remove…
                </DialogButton>
              )}
            </span>
          </li>
        ))}
      </ul>
    </section>
  )
}

function RemoveCopyDialog({ model, copy, onClose }: { model: Model; copy: Copy; onClose: () => void }) {
  const { mutateAsync } = useChange(['models', 'devices'], async (own) =>
    own.delete('/devices/{device}/models', { device: copy.device, query: { model: model.name } }),
  )
  const others = model.devices.filter(({ device }) => device !== copy.device).length
  return (
    <ConfirmDialog
      title={
        <>
          Remove <Name text={model.name} /> from <Name text={copy.name} />?
        </>
      }
      action="Remove from device"
      typed={model.name}
      onClose={onClose}
      act={async () => {
        const { freedBytes } = await mutateAsync()
        showToast(freedBytes > 0 ? `Removed. ${formatBytes(freedBytes)} of disk space freed.` : 'Removed')
      }}
    >
      <p>
        {copy.isDeletable
          ? `The file is deleted, which frees ${formatBytes(copy.bytes)}.`
          : 'The device stops serving it. The file belongs to its owner and stays.'}{' '}
        Responses in progress finish first.
      </p>
      {others === 0 && model.state === 'enabled' && (
        <p>No other device serves this model. Requests for it will wait, and then get a 503.</p>
      )}
    </ConfirmDialog>
  )
}
