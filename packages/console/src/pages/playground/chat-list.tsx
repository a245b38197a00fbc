import { Download, Pencil, Plus, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { plural } from '../../lib/format.ts'
import { Button } from '../../parts/control/button.tsx'
import { MenuItem } from '../../parts/control/menu.tsx'
import { DeleteItem, RowMenu } from '../../parts/control/row-menu.tsx'
import { Name } from '../../parts/text/name.tsx'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { NameDialog } from '../../parts/dialog/name-dialog.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { useRead } from '../../session/use-read.ts'
import { isChatRunning, isUnused, chatName, questionCount, type Chat } from './conversation/chats.ts'
import { exportChat } from './code/export-chat.ts'
import { makeBody } from './conversation/make-body.ts'
import { findChosenModel, type Model } from './models/chosen-model.ts'
import type { Settings } from './settings/settings.ts'
import type { ChatState } from './conversation/use-chat.ts'

export interface ChatListProps {
  chatState: ChatState
  models: readonly Model[]
  settings: Settings
  onSelect: (chat: number) => void
  onNew: () => void
}

/** The conversations of this person in this browser. */
export function ChatList({ onNew, ...props }: ChatListProps) {
  const { chatState } = props
  return (
    <nav className="flex flex-col gap-7.5 min-h-0" aria-label="Conversations">
      <Button icon={Plus} onClick={onNew}>
        New conversation
      </Button>
      <ul className="grid gap-1.5 content-start min-h-0 overflow-y-auto">
        {chatState.chats.map((chat) => (
          <ChatItem key={chat.id} chat={chat} {...props} />
        ))}
      </ul>
      {chatState.storageError === undefined ? (
        <p className="text-small text-faint">Kept in this browser only, never at the gateway.</p>
      ) : (
        <p className="text-small text-warn">This browser keeps nothing, only this tab does. {chatState.storageError}</p>
      )}
      <DialogButton
        size="small"
        icon={Trash2}
        renderDialog={(close) => (
          <ConfirmDialog
            title="Delete all conversations and presets?"
            action="Delete all"
            act={async () => chatState.store.removeAll()}
            done="All conversations and presets deleted"
            onClose={close}
          >
            <p>All that you kept in this browser for this organization is deleted. You can’t undo this.</p>
          </ConfirmDialog>
        )}
      >
        Delete all
      </DialogButton>
    </nav>
  )
}

type ChatItemProps = Omit<ChatListProps, 'onNew'> & { chat: Chat }

function ChatItem({ chat, chatState, onSelect, ...rest }: ChatItemProps) {
  const name = chatName(chat)
  const isCurrent = chat.id === chatState.chat.id
  return (
    <li className={`flex items-center gap-1.5 min-w-0 pe-2.5 rounded ${isCurrent ? 'bg-sunken' : 'hover:bg-hover'}`}>
      <button
        type="button"
        className="grid flex-1 min-w-0 text-start rounded px-7 py-4"
        aria-current={isCurrent ? 'true' : undefined}
        onClick={() => onSelect(chat.id)}
      >
        <Name text={name} isCut isStrong={isCurrent} />
        <span className="text-small text-faint">{describe(chat)}</span>
      </button>
      {!(isUnused(chat) && chat.name === undefined) && <ChatMenu {...{ chat, name, chatState, ...rest }} />}
    </li>
  )
}

function describe(chat: Chat): string {
  if (isChatRunning(chat)) return 'Answering…'
  const models = chat.columns.length > 1 ? ' · 2 models' : ''
  return isUnused(chat) ? 'Empty' : `${plural(questionCount(chat), 'message')}${models}`
}

const FORMATS = { md: 'Export as Markdown', json: 'Export as JSON', sh: 'Export as curl' } as const

function ChatMenu(props: Omit<ChatItemProps, 'onSelect'> & { name: string }) {
  const { chat, name, models, settings } = props
  const { store } = props.chatState
  const { data: overview } = useRead('/overview')
  const [isNaming, setNaming] = useState(false)
  return (
    <>
      <RowMenu of={name}>
        <MenuItem title="Rename" icon={Pencil} onSelect={() => setNaming(true)} />
        {overview &&
          (['md', 'json', 'sh'] as const).map((format) => (
            <MenuItem
              key={format}
              title={FORMATS[format]}
              icon={Download}
              onSelect={() => exportChat(format, chat, bodiesOf(chat, models, settings), overview.baseUrl)}
            />
          ))}
        <DeleteItem onSelect={() => showToast('Conversation deleted', store.remove(chat.id))} />
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

/** With the settings of now. A model that is gone keeps its name. */
function bodiesOf({ columns }: Chat, models: readonly Model[], settings: Settings) {
  return columns.map(({ model, turns }) => {
    const found = findChosenModel(model, models)
    return makeBody(found.name, settings, found.kind === 'ready' ? found.model.features : [], turns)
  })
}
