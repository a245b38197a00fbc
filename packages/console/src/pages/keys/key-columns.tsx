import { useMemo, useState } from 'react'
import type { Shapes } from '../../api/client.ts'
import { formatShort, plural } from '../../lib/format.ts'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Badge } from '../../parts/badge.tsx'
import { Button } from '../../parts/button.tsx'
import { Moment } from '../../parts/moment.tsx'
import { Name } from '../../parts/name.tsx'
import type { Column } from '../../parts/table.tsx'
import { useSession } from '../../session/session.ts'
import { RevokeDialog } from './revoke-dialog.tsx'
import './keys.css'

type Key = Shapes['Key']

export function useKeyColumns(): readonly Column<Key>[] {
  const { isAdmin } = useSession()
  return useMemo(() => COLUMNS.filter(({ title }) => isAdmin || title !== 'Created by'), [isAdmin])
}

const COLUMNS: readonly Column<Key>[] = [
  {
    title: 'Key',
    kind: 'main',
    sortBy: ({ name }) => name,
    cell: ({ name, hint, state }) => (
      <span className="key-name">
        <Name text={name} isStrong isCut />
        <span className="row">
          <code className="soft">…{hint}</code>
          {state === 'expired' && <Badge tone="warn">Expired</Badge>}
          {state === 'revoked' && <Badge>Revoked</Badge>}
        </span>
      </span>
    ),
  },
  {
    title: 'Created by',
    sortBy: ({ createdBy }) => createdBy.name,
    cell: ({ createdBy, isYours }) => (isYours ? 'you' : <Name text={createdBy.name} />),
  },
  {
    title: 'Models',
    isMinor: true,
    cell: ({ models }) =>
      models === null ? (
        <span className="soft">all models</span>
      ) : (
        <span title={models.map(showOddCharacters).join('\n')}>{plural(models.length, 'model')}</span>
      ),
  },
  { title: 'Rate limits', isMinor: true, cell: ({ limits }) => <Limits limits={limits} /> },
  {
    title: 'Last used',
    sortBy: ({ lastUsedAt }) => time(lastUsedAt),
    cell: ({ lastUsedAt }) => <Moment at={lastUsedAt} />,
  },
  { title: 'Created', sortBy: ({ createdAt }) => time(createdAt), cell: ({ createdAt }) => <Moment at={createdAt} /> },
  {
    title: 'Expires',
    sortBy: ({ expiresAt }) => time(expiresAt),
    cell: ({ expiresAt }) => <Moment at={expiresAt} />,
  },
  { title: 'Actions', kind: 'actions', cell: (key) => key.state === 'active' && <RevokeButton keyToEnd={key} /> },
]

function time(at: string | null): number | null {
  return at === null ? null : new Date(at).getTime()
}

function Limits({ limits: { requestsPerMinute, tokensPerMinute, jobsAtOnce } }: { limits: Shapes['KeyLimits'] }) {
  const words = [
    requestsPerMinute !== undefined && `${formatShort(requestsPerMinute)} requests/min`,
    tokensPerMinute !== undefined && `${formatShort(tokensPerMinute)} tokens/min`,
    jobsAtOnce !== undefined && `${formatShort(jobsAtOnce)} concurrent`,
  ].filter((word) => word !== false)
  if (words.length === 0) return <span className="soft">none</span>
  return (
    <span className="key-limits">
      {words.map((word) => (
        <span key={word}>{word}</span>
      ))}
    </span>
  )
}

function RevokeButton({ keyToEnd }: { keyToEnd: Key }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <>
      <Button size="small" onClick={() => setOpen(true)} aria-label={`Revoke ${showOddCharacters(keyToEnd.name)}`}>
        Revoke
      </Button>
      {isOpen && <RevokeDialog keyToEnd={keyToEnd} onClose={() => setOpen(false)} />}
    </>
  )
}
