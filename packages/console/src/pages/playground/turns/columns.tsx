import { X } from 'lucide-react'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import type { ChatColumn } from '../conversation/chats.ts'
import { findChosenModel, type ChosenModel, type Model } from '../models/chosen-model.ts'
import { ModelSelect } from '../models/model-select.tsx'
import { ResponseComparison } from './response-comparison.tsx'
import { Thread } from './thread.tsx'
import { Turns, type TurnsProps } from './turns.tsx'
import type { ChatState } from '../conversation/use-chat.ts'
import { Welcome } from './welcome.tsx'

interface ColumnsProps extends Omit<TurnsProps, 'column' | 'maySend'> {
  chatState: ChatState
  models: readonly Model[]
  chosen: readonly ChosenModel[]
  /** False while a setting is wrong. */
  maySend: boolean
  onModel: (column: ChatColumn, name: string) => void
  onExample: (text: string) => void
}

/** Side by side is too narrow on a phone: swipe from one to the other. */
const SWIPED =
  'narrow:grid-cols-[repeat(2,minmax(88%,1fr))] narrow:overflow-x-auto narrow:overscroll-x-contain narrow:snap-x narrow:snap-mandatory'

/** The conversation, or two of them side by side while models are compared. */
export function Columns(props: ColumnsProps) {
  const { chatState, chosen, onExample, models, onModel, store } = props
  if (chatState.columns.length === 1) return <ColumnThread {...props} column={chatState.columns[0]} which={0} />
  const isEmpty = chatState.columns.every(({ turns }) => turns.length === 0)
  return (
    <>
      <div
        className={`grid flex-1 grid-cols-2 gap-10 min-h-0 ${isEmpty ? 'grid-rows-[auto_minmax(0,1fr)]' : 'grid-rows-[minmax(0,1fr)]'} ${SWIPED}`}
      >
        {chatState.columns.map((column, which) => (
          <section
            key={column.id}
            className={`flex flex-col gap-5 min-w-0 min-h-0 px-7.5 pt-7.5 bg-surface border border-line rounded-large narrow:snap-center ${isEmpty ? 'pb-7.5' : ''}`}
            aria-label={`Model ${which + 1}`}
          >
            <header className="column-head flex items-start gap-2.5">
              <ModelSelect
                key={column.id}
                label={which === 0 ? 'Model' : 'Second model'}
                models={models}
                chosen={findChosenModel(column.model, models)}
                onChoose={(next) => onModel(column, next)}
              />
              <Button
                kind="quiet"
                icon={X}
                aria-label={`Stop comparing ${showOddCharacters(findChosenModel(column.model, models).name)}`}
                word="Stop"
                onClick={() => showToast('Comparison closed', store.closeColumn(column.id))}
              />
            </header>
            {!isEmpty && <ColumnThread {...props} column={column} which={which} />}
          </section>
        ))}
        {isEmpty && (
          <div className="flex col-span-full min-h-0 overflow-y-auto narrow:sticky narrow:left-0 narrow:col-start-1">
            <Welcome models={chosen} onExample={onExample} />
          </div>
        )}
      </div>
      <ResponseComparison columns={chatState.columns} />
    </>
  )
}

type ColumnThreadProps = ColumnsProps & { column: ChatColumn; which: number }

function ColumnThread({ column, which, models, chosen, onExample, maySend, ...props }: ColumnThreadProps) {
  const isReady = findChosenModel(column.model, models).kind === 'ready'
  const { store, view, editing, onEditing } = props
  return (
    <Thread turns={column.turns} label={which === 0 ? 'Conversation' : 'Second conversation'}>
      {column.turns.length === 0 ? (
        <Welcome models={chosen} onExample={onExample} />
      ) : (
        <Turns {...{ column, store, view, editing, onEditing }} maySend={maySend && isReady} />
      )}
    </Thread>
  )
}
