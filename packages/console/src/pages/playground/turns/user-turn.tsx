import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { onSubmit } from '../../../lib/on-submit.ts'
import { Button } from '../../../parts/control/button.tsx'
import { plural } from '../../../lib/format.ts'
import { Attachments } from '../compose/attachments.tsx'
import type { UserTurn } from '../conversation/turn.ts'

interface UserTurnProps {
  turn: UserTurn
  isEditing: boolean
  /** How many turns come after this one and its response. */
  later: number
  /** Absent while the message can't be sent again. */
  onEditing?: (isEditing: boolean) => void
  onEdit: (text: string) => void
}

export function UserTurnView({ turn, isEditing, later, onEditing, onEdit }: UserTurnProps) {
  if (isEditing && onEditing) return <EditForm {...{ turn, later, onEdit }} onClose={() => onEditing(false)} />
  const { text, files = [] } = turn
  return (
    <article className="turn min-w-0 flex flex-row-reverse items-center gap-2.5" aria-label="You">
      <div className="grid justify-items-end gap-4 max-w-[min(40rem,85%)] min-w-0">
        <Attachments files={files} />
        {text.trim() !== '' && (
          <div className="model-text bg-ink/7 rounded-large px-9 py-6" dir="auto">
            {text}
          </div>
        )}
      </div>
      {onEditing && (
        <Button
          kind="quiet"
          size="small"
          icon={Pencil}
          className="turn-action"
          aria-label="Edit message"
          word="Edit"
          onClick={() => onEditing(true)}
        />
      )}
    </article>
  )
}

type EditFormProps = Pick<UserTurnProps, 'turn' | 'later' | 'onEdit'> & { onClose: () => void }

function EditForm({ turn: { text, files = [] }, later, onEdit, onClose }: EditFormProps) {
  const [draft, setDraft] = useState(text)
  const isEmpty = draft.trim() === '' && files.length === 0
  return (
    <form
      className="turn min-w-0 grid gap-6"
      aria-label="Edit message"
      onSubmit={onSubmit(() => {
        onClose()
        onEdit(draft)
      })}
      onKeyDown={(event) => {
        if (event.key === 'Escape') onClose()
        if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) event.currentTarget.requestSubmit()
      }}
    >
      <Attachments files={files} />
      <textarea
        className="input"
        aria-label="Message"
        rows={4}
        autoFocus
        value={draft}
        onFocus={({ target }) => target.setSelectionRange(target.value.length, target.value.length)}
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="row">
        <Button type="submit" kind="primary" size="small" disabled={isEmpty}>
          Send again
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <span className="text-small text-faint">
          {later === 0
            ? 'Replaces the response.'
            : `Replaces the response and removes ${plural(later, 'later message')}.`}
        </span>
      </div>
    </form>
  )
}
