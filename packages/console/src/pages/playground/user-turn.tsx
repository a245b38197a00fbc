import { Pencil } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/button.tsx'
import type { UserTurn } from './conversation.ts'

interface UserTurnProps {
  turn: UserTurn
  /** Absent if the message can no longer be edited. */
  onEdit?: (text: string) => void
}

export function UserTurnView({ turn, onEdit }: UserTurnProps) {
  const [isEditing, setEditing] = useState(false)
  if (isEditing && onEdit) return <EditForm text={turn.text} onEdit={onEdit} onClose={() => setEditing(false)} />
  return (
    <article className="turn turn-user" aria-label="You">
      <div className="turn-text model-text" dir="auto">
        {turn.text}
      </div>
      {onEdit && (
        <Button kind="quiet" size="small" icon={Pencil} aria-label="Edit message" onClick={() => setEditing(true)} />
      )}
    </article>
  )
}

interface EditFormProps {
  text: string
  onEdit: (text: string) => void
  onClose: () => void
}

function EditForm({ text, onEdit, onClose }: EditFormProps) {
  const [draft, setDraft] = useState(text)
  return (
    <form
      className="turn turn-edit"
      aria-label="Edit message"
      onSubmit={(event) => {
        event.preventDefault()
        onClose()
        onEdit(draft)
      }}
      onKeyDown={(event) => event.key === 'Escape' && onClose()}
    >
      <textarea
        className="input"
        aria-label="Message"
        rows={4}
        autoFocus
        value={draft}
        onChange={(event) => setDraft(event.target.value)}
      />
      <div className="row">
        <Button type="submit" kind="primary" size="small" disabled={draft.trim() === ''}>
          Send again
        </Button>
        <Button size="small" onClick={onClose}>
          Cancel
        </Button>
        <span className="small faint">Replaces everything after this message.</span>
      </div>
    </form>
  )
}
