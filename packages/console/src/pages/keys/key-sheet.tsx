import { Link } from '@tanstack/react-router'
import { RotateCw } from 'lucide-react'
import { useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { Button } from '../../parts/control/button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { Facts } from '../../parts/text/facts.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import { KeyState } from './key-columns.tsx'
import { KeySettings } from './key-settings.tsx'
import { KeyUse } from './key-use.tsx'
import type { NewSecret } from './new-key-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { useKeyChanges } from './use-key-changes.ts'

type Key = Shapes['Key']

interface SheetProps {
  apiKey: Key
  onClose: () => void
  onRotated: (secret: NewSecret) => void
}

/** Everything about one key: its use, its settings, and what can be done with it. */
export function KeySheet({ apiKey, onClose, onRotated }: SheetProps) {
  const { createdBy, isYours, createdAt, lastUsedAt, expiresAt } = apiKey
  const isOver = apiKey.state === 'revoked'
  return (
    <Dialog shape="sheet" title={<Name text={apiKey.name} />} onClose={onClose}>
      <div className="row">
        <code className="soft">…{apiKey.hint}</code>
        <KeyState apiKey={apiKey} />
      </div>
      <StateAdvice apiKey={apiKey} />
      {!isOver && <SheetActions apiKey={apiKey} onClose={onClose} onRotated={onRotated} />}
      {apiKey.previous && <OldSecret apiKey={apiKey} previous={apiKey.previous} />}
      <KeyUse apiKey={apiKey} />
      <Link to="/usage" search={{ open: apiKey.id }} onClick={onClose}>
        Show its requests
      </Link>
      <Facts
        facts={[
          ['Created by', isYours ? 'you' : <Name key="creator" text={createdBy.name} />],
          ['Created', <Moment key="created" at={createdAt} />],
          ['Last used', <Moment key="used" at={lastUsedAt} />],
          ['Expires', <Moment key="expires" at={expiresAt} />],
        ]}
      />
      {!isOver && <KeySettings apiKey={apiKey} />}
    </Dialog>
  )
}

function StateAdvice({ apiKey: { state } }: { apiKey: Key }) {
  if (state === 'active') return null
  const text = {
    disabled: 'Requests with this key get a 401 until you enable it.',
    expired: 'Requests with this key get a 401. Give it a later expiration to use it again.',
    revoked: 'This key was revoked for good. Its usage stays visible.',
  }[state]
  return <p className="soft">{text}</p>
}

function SheetActions({ apiKey, onClose, onRotated }: SheetProps) {
  const { change, isBusy } = useKeyChanges(apiKey)
  const [dialog, setDialog] = useState<'rotate' | 'revoke'>()
  const isDisabled = apiKey.state === 'disabled'
  return (
    <div className="row">
      <Button icon={RotateCw} onClick={() => setDialog('rotate')}>
        Rotate…
      </Button>
      {apiKey.state !== 'expired' && (
        <Button
          isBusy={isBusy}
          onClick={() =>
            change({ state: isDisabled ? 'active' : 'disabled' }, isDisabled ? 'Key enabled' : 'Key disabled')
          }
        >
          {isDisabled ? 'Enable' : 'Disable'}
        </Button>
      )}
      <Button onClick={() => setDialog('revoke')}>Revoke…</Button>
      {dialog === 'rotate' && (
        <RotateDialog
          apiKey={apiKey}
          onClose={() => setDialog(undefined)}
          onRotated={(secret) => {
            onClose()
            onRotated(secret)
          }}
        />
      )}
      {dialog === 'revoke' && <RevokeDialog keyToEnd={apiKey} onClose={() => setDialog(undefined)} />}
    </div>
  )
}

function OldSecret({ apiKey, previous }: { apiKey: Key; previous: NonNullable<Key['previous']> }) {
  const { endPrevious, isBusy } = useKeyChanges(apiKey)
  return (
    <div className="old-secret">
      <p>
        Old secret <code>…{previous.hint}</code> stops working <Moment at={previous.endsAt} />.
      </p>
      <Button size="small" isBusy={isBusy} onClick={endPrevious}>
        Stop it now
      </Button>
    </div>
  )
}
