import { Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { plural } from '../../lib/format.ts'
import { Button } from '../../parts/control/button.tsx'
import { MenuItem } from '../../parts/control/menu.tsx'
import { RowMenu } from '../../parts/control/row-menu.tsx'
import { Name } from '../../parts/text/name.tsx'
import { NameDialog } from '../../parts/dialog/name-dialog.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { isChatRunning, isUnused, nameOf, questionCount, type Chat } from './conversation/chats.ts'
import type { ChatInHand } from './conversation/use-chat.ts'
import './chat-list.css'

interface ChatListProps {
  hand: ChatInHand
  onSelect: (chat: number) => void
  onNew: () => void
}

/** The conversations of this session. */
export function ChatList({ hand, onSelect, onNew }: ChatListProps) {
  return (
    <nav className="chat-list" aria-label="Conversations">
      <Button icon={Plus} onClick={onNew}>
        New conversation
      </Button>
      <ul>
        {hand.chats.map((chat) => (
          <ChatItem key={chat.id} chat={chat} hand={hand} onSelect={onSelect} />
        ))}
      </ul>
      <p className="small faint">Kept in this tab until you reload or sign out.</p>
    </nav>
  )
}

function ChatItem({ chat, hand, onSelect }: Omit<ChatListProps, 'onNew'> & { chat: Chat }) {
  const name = nameOf(chat)
  const isCurrent = chat.id === hand.chat.id
  return (
    <li className="chat-item" data-current={isCurrent}>
      <button
        type="button"
        className="chat-open"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => onSelect(chat.id)}
      >
        <Name text={name} isCut />
        <span className="small faint">{describe(chat)}</span>
      </button>
      {!(isUnused(chat) && chat.name === undefined) && <ChatMenu {...{ chat, name, hand }} />}
    </li>
  )
}

function describe(chat: Chat): string {
  if (isChatRunning(chat)) return 'Answering…'
  const models = chat.lanes.length > 1 ? ' · 2 models' : ''
  return isUnused(chat) ? 'Empty' : `${plural(questionCount(chat), 'message')}${models}`
}

function ChatMenu({ chat, name, hand: { store } }: { chat: Chat; name: string; hand: ChatInHand }) {
  const [isNaming, setNaming] = useState(false)
  return (
    <>
      <RowMenu of={name}>
        <MenuItem title="Rename" icon={Pencil} onSelect={() => setNaming(true)} />
        <MenuItem
          title="Delete"
          icon={Trash2}
          isDanger
          onSelect={() => showToast('Conversation deleted', store.remove(chat.id))}
        />
      </RowMenu>
      {isNaming && (
        <NameDialog
          title="Rename conversation"
          about="The name is kept as long as the conversation."
          action="Rename"
          name={name}
          onClose={() => setNaming(false)}
          onSave={async (next) => store.rename(chat.id, next)}
        />
      )}
    </>
  )
}
