import { Ban, PanelRightOpen, Power, RotateCw, Trash2 } from 'lucide-react'
import { useMemo, useState } from 'react'
import type { Schemas } from '../../api/client.ts'
import { formatShort, plural } from '../../lib/format.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Badge } from '../../parts/text/badge.tsx'
import { MenuItem } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { actionsColumn, OpenName } from '../../parts/table/cells.tsx'
import type { Column } from '../../parts/table/column.ts'
import { useBudget } from '../../session/budget.tsx'
import { useSession } from '../../session/session.ts'
import type { NewSecret } from './new-key-dialog.tsx'
import { RevokeDialog } from './revoke-dialog.tsx'
import { RotateDialog } from './rotate-dialog.tsx'
import { useKeyChanges } from './use-key-changes.ts'

type Key = Schemas['Key']

export type KeyOrder = 'name' | 'creator' | 'created' | 'used' | 'expires'
type KeyColumn = Column<Key> & { order?: KeyOrder }

interface KeyColumnsProps {
  onOpen: (id: string) => void
  onRotated: (secret: NewSecret) => void
}

export function useKeyColumns({ onOpen, onRotated }: KeyColumnsProps): readonly KeyColumn[] {
  const { isAdmin } = useSession()
  return useMemo(() => {
    const name: KeyColumn = {
      title: 'Key',
      kind: 'main',
      order: 'name',
      cell: (key) => (
        <span className="grid grid-cols-1 min-w-0">
          <OpenName name={key.name} onOpen={() => onOpen(key.id)} />
          <span className="row">
            <code className="text-soft">…{key.hint}</code>
            <KeyState apiKey={key} />
          </span>
        </span>
      ),
    }
    return [
      name,
      ...COLUMNS.filter(({ title }) => isAdmin || title !== 'Created by'),
      actionsColumn((key) => <KeyMenu apiKey={key} {...{ onOpen, onRotated }} />),
    ]
  }, [isAdmin, onOpen, onRotated])
}

/** Nothing for a key that simply works. */
export function KeyState({ apiKey: { state, previous } }: { apiKey: Key }) {
  if (state === 'expired') return <Badge tone="warn">Expired</Badge>
  if (state === 'revoked') return <Badge>Revoked</Badge>
  if (state === 'disabled') return <Badge tone="warn">Disabled</Badge>
  return previous && <Badge>Rotating</Badge>
}

const COLUMNS: readonly KeyColumn[] = [
  {
    title: 'Created by',
    order: 'creator',
    cell: ({ createdBy, isYours }) => (isYours ? 'you' : <Name text={createdBy.name} />),
  },
  {
    title: 'Models',
    isMinor: true,
    cell: ({ models }) =>
      models === null ? (
        <span className="text-soft">all models</span>
      ) : (
        <span title={models.map(showOddCharacters).join('\n')}>{plural(models.length, 'model')}</span>
      ),
  },
  { title: 'Limits', isMinor: true, cell: ({ id, limits }) => <Limits id={id} limits={limits} /> },
  { title: 'Last used', order: 'used', cell: ({ lastUsedAt }) => <RelativeTime at={lastUsedAt} /> },
  { title: 'Created', order: 'created', isMinor: true, cell: ({ createdAt }) => <RelativeTime at={createdAt} /> },
  { title: 'Expires', order: 'expires', cell: ({ expiresAt }) => <RelativeTime at={expiresAt} /> },
]

function Limits({ id, limits }: { id: string; limits: Schemas['KeyLimits'] }) {
  const { requestsPerMinute, tokensPerMinute, jobsAtOnce, tokensPerMonth } = limits
  const used = useBudget('key', id)?.used ?? 0
  const words = [
    tokensPerMonth !== undefined && `${formatShort(used)} of ${formatShort(tokensPerMonth)} tokens this month`,
    requestsPerMinute !== undefined && `${formatShort(requestsPerMinute)} requests/min`,
    tokensPerMinute !== undefined && `${formatShort(tokensPerMinute)} tokens/min`,
    jobsAtOnce !== undefined && `${formatShort(jobsAtOnce)} concurrent`,
  ].filter((word) => word !== false)
  if (words.length === 0) return <span className="text-soft">none</span>
  return (
    <span className="grid text-small whitespace-nowrap" title={words.join('\n')}>
      {words.slice(0, 2).map((word, index) => (
        <span key={word}>{index === 1 && words.length > 2 ? `${word} +${words.length - 2}` : word}</span>
      ))}
    </span>
  )
}

function KeyMenu({ apiKey, onOpen, onRotated }: KeyColumnsProps & { apiKey: Key }) {
  const { change } = useKeyChanges(apiKey)
  const [dialog, setDialog] = useState<'rotate' | 'revoke'>()
  const close = () => setDialog(undefined)
  const { state } = apiKey
  return (
    <>
      <RowMenu of={apiKey.name}>
        <MenuItem title="Details" icon={PanelRightOpen} onSelect={() => onOpen(apiKey.id)} />
        {(state === 'active' || state === 'disabled') && (
          <MenuItem title="Rotate…" icon={RotateCw} onSelect={() => setDialog('rotate')} />
        )}
        {state === 'active' && (
          <MenuItem title="Disable" icon={Ban} onSelect={() => change({ state: 'disabled' }, 'Key disabled')} />
        )}
        {state === 'disabled' && (
          <MenuItem title="Enable" icon={Power} onSelect={() => change({ state: 'active' }, 'Key enabled')} />
        )}
        {state !== 'revoked' && (
          <MenuItem title="Revoke…" icon={Trash2} isDanger onSelect={() => setDialog('revoke')} />
        )}
      </RowMenu>
      {dialog === 'rotate' && <RotateDialog {...{ apiKey, onRotated }} onClose={close} />}
      {dialog === 'revoke' && <RevokeDialog keyToEnd={apiKey} onClose={close} />}
    </>
  )
}
