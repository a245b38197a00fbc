import { Code2, Columns2, Eraser, MessagesSquare, Plus } from 'lucide-react'
import { useState } from 'react'
import { Button } from '../../parts/control/button.tsx'
import { Dialog } from '../../parts/dialog/dialog.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { ChatList, type ChatListProps } from './chat-list.tsx'
import { isUnused, MAX_LANES } from './conversation/chats.ts'
import { CodeDialog, type CodeDialogProps } from './code/code-dialog.tsx'
import { suggestModel, type LaneModel } from './models/lane-model.ts'

interface ChatButtonsProps extends ChatListProps {
  chosen: readonly LaneModel[]
  /** The list of conversations has its own panel. */
  hasList: boolean
  code: Omit<CodeDialogProps, 'onClose'> | undefined
}

/** Everything that concerns the conversation as a whole. */
export function ChatButtons({ hand, models, settings, chosen, hasList, onSelect, onNew, code }: ChatButtonsProps) {
  const [open, setOpen] = useState<'list' | 'code'>()
  const close = () => setOpen(undefined)
  const isEmpty = isUnused(hand.chat)
  return (
    <>
      {!hasList && (
        <Button icon={MessagesSquare} onClick={() => setOpen('list')}>
          <span>
            Conversations
            {hand.chats.length > 1 && <span className="narrow:hidden"> ({hand.chats.length})</span>}
          </span>
        </Button>
      )}
      {hand.lanes.length < MAX_LANES && (
        <Button icon={Columns2} onClick={() => hand.store.compareWith(suggestModel(models, chosen[0]?.name).name)}>
          <span>Compare</span>
        </Button>
      )}
      <Button icon={Code2} disabled={!code} onClick={() => setOpen('code')}>
        <span>View code</span>
      </Button>
      <Button icon={Eraser} disabled={isEmpty} onClick={() => showToast('Conversation cleared', hand.store.clear())}>
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
            {...{ hand, models, settings }}
            onSelect={(chat) => (onSelect(chat), close())}
            onNew={() => (onNew(), close())}
          />
        </Dialog>
      )}
      {open === 'code' && code && <CodeDialog {...code} onClose={close} />}
    </>
  )
}
