import { X } from 'lucide-react'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Button } from '../../../parts/control/button.tsx'
import { showToast } from '../../../parts/feedback/toasts.tsx'
import type { Lane } from '../conversation/chats.ts'
import { findLaneModel, type LaneModel, type Model } from '../models/lane-model.ts'
import { ModelChoice } from '../models/model-choice.tsx'
import { Comparison } from './comparison.tsx'
import { Thread } from './thread.tsx'
import { Turns, type TurnsProps } from './turns.tsx'
import type { ChatInHand } from '../conversation/use-chat.ts'
import { Welcome } from './welcome.tsx'

interface LanesProps extends Omit<TurnsProps, 'lane' | 'mayAsk'> {
  hand: ChatInHand
  models: readonly Model[]
  chosen: readonly LaneModel[]
  /** False while a setting is wrong. */
  mayAsk: boolean
  onModel: (lane: Lane, name: string) => void
  onExample: (text: string) => void
}

/** Side by side is too narrow on a phone: swipe from one to the other. */
const SWIPED =
  'narrow:grid-cols-[repeat(2,minmax(88%,1fr))] narrow:overflow-x-auto narrow:overscroll-x-contain narrow:snap-x narrow:snap-mandatory'

/** The conversation, or two of them side by side while models are compared. */
export function Lanes(props: LanesProps) {
  const { hand, chosen, onExample, models, onModel, store } = props
  if (hand.lanes.length === 1) return <LaneThread {...props} lane={hand.lanes[0]} which={0} />
  const isEmpty = hand.lanes.every(({ turns }) => turns.length === 0)
  return (
    <>
      <div
        className={`grid flex-1 grid-cols-2 gap-10 min-h-0 ${isEmpty ? 'grid-rows-[auto_minmax(0,1fr)]' : 'grid-rows-[minmax(0,1fr)]'} ${SWIPED}`}
      >
        {hand.lanes.map((lane, which) => (
          <section
            key={lane.id}
            className={`flex flex-col gap-5 min-w-0 min-h-0 px-7.5 pt-7.5 bg-surface border border-line rounded-large narrow:snap-center ${isEmpty ? 'pb-7.5' : ''}`}
            aria-label={`Model ${which + 1}`}
          >
            <header className="lane-head flex items-start gap-2.5">
              <ModelChoice
                key={lane.id}
                label={which === 0 ? 'Model' : 'Second model'}
                models={models}
                chosen={findLaneModel(lane.model, models)}
                onChoose={(next) => onModel(lane, next)}
              />
              <Button
                kind="quiet"
                icon={X}
                aria-label={`Stop comparing ${showOddCharacters(findLaneModel(lane.model, models).name)}`}
                word="Stop"
                onClick={() => showToast('Comparison closed', store.closeLane(lane.id))}
              />
            </header>
            {!isEmpty && <LaneThread {...props} lane={lane} which={which} />}
          </section>
        ))}
        {isEmpty && (
          <div className="flex col-span-full min-h-0 overflow-y-auto narrow:sticky narrow:left-0 narrow:col-start-1">
            <Welcome models={chosen} onExample={onExample} />
          </div>
        )}
      </div>
      <Comparison lanes={hand.lanes} />
    </>
  )
}

type OneLaneProps = LanesProps & { lane: Lane; which: number }

function LaneThread({ lane, which, models, chosen, onExample, mayAsk, ...props }: OneLaneProps) {
  const isReady = findLaneModel(lane.model, models).kind === 'ready'
  const { store, view, editing, onEditing } = props
  return (
    <Thread turns={lane.turns} label={which === 0 ? 'Conversation' : 'Second conversation'}>
      {lane.turns.length === 0 ? (
        <Welcome models={chosen} onExample={onExample} />
      ) : (
        <Turns {...{ lane, store, view, editing, onEditing }} mayAsk={mayAsk && isReady} />
      )}
    </Thread>
  )
}
