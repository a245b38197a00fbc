import { Code2, Columns2, Eraser, MessagesSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/control/button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { ChatList, type ChatListProps } from './chat-list.tsx'
import { isUnused, MAX_COLUMNS } from './conversation/chats.ts'
import { CodeDialog, type CodeDialogProps } from './code/code-dialog.tsx'
import { suggestModel, type ChosenModel } from './models/chosen-model.ts'

interface ChatButtonsProps extends ChatListProps {
  chosen: readonly ChosenModel[]
  /** The list of conversations has its own panel. */
  hasList: boolean
  code: Omit<CodeDialogProps, 'onClose'> | undefined
}

/** Everything that concerns the conversation as a whole. */
export function ChatButtons({ chatState, models, settings, chosen, hasList, onSelect, onNew, code }: ChatButtonsProps) {
  const [open, setOpen] = useState<'list' | 'code'>()
  const close = () => setOpen(undefined)
  const isEmpty = isUnused(chatState.chat)
  return (
    <>
      {!hasList && (
        <Button icon={MessagesSquare} onClick={() => setOpen('list')}>
          <span>
            Conversations
            {chatState.chats.length > 1 && <span className="narrow:hidden"> ({chatState.chats.length})</span>}
          </span>
        </Button>
      )}
      {chatState.columns.length < MAX_COLUMNS && (
        <Button icon={Columns2} onClick={() => chatState.store.compareWith(suggestModel(models, chosen[0]?.name).name)}>
          <span>Compare</span>
        </Button>
      )}
      <Button icon={Code2} disabled={!code} onClick={() => setOpen('code')}>
        <span>View code</span>
      </Button>
      <Button
        icon={Eraser}
        disabled={isEmpty}
        onClick={() => showToast('Conversation cleared', chatState.store.clear())}
      >
        <span>Clear</span>
      </Button>
      {!hasList && (
        <Button icon={Plus} aria-label="New conversation" disabled={isEmpty} onClick={onNew}>
          <span>New</span>
        </Button>
      )}
      {open === 'list' && (
        <Dialog shape="sheet" title="Conversations" onClose={close}>
          <ChatList
            {...{ chatState, models, settings }}
            onSelect={(chat) => (onSelect(chat), close())}
            onNew={() => (onNew(), close())}
          />
        </Dialog>
      )}
      {open === 'code' && code && <CodeDialog {...code} onClose={close} />}
    </>
  )
}
