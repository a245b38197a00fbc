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
import './lanes.css'

interface LanesProps extends Omit<TurnsProps, 'lane' | 'mayAsk'> {
  hand: ChatInHand
  models: readonly Model[]
  chosen: readonly LaneModel[]
  /** False while a setting is wrong. */
  mayAsk: boolean
  onModel: (lane: Lane, name: string) => void
  onExample: (text: string) => void
}

/** The conversation, or two of them side by side while models are compared. */
export function Lanes(props: LanesProps) {
  const { hand, chosen, onExample } = props
  if (hand.lanes.length === 1) return <LaneThread {...props} lane={hand.lanes[0]} which={0} />
  const isEmpty = hand.lanes.every(({ turns }) => turns.length === 0)
  return (
    <>
      <div className="lanes">
        {hand.lanes.map((lane, which) => (
          <section key={lane.id} className="lane" aria-label={`Model ${which + 1}`}>
            <LaneHead {...props} lane={lane} which={which} />
            {!isEmpty && <LaneThread {...props} lane={lane} which={which} />}
          </section>
        ))}
        {isEmpty && (
          <div className="lanes-welcome">
            <Welcome models={chosen} onExample={onExample} />
          </div>
        )}
      </div>
      <Comparison lanes={hand.lanes} />
    </>
  )
}

type OneLaneProps = LanesProps & { lane: Lane; which: number }

function LaneHead({ lane, which, store, models, onModel }: OneLaneProps) {
  const found = findLaneModel(lane.model, models)
  return (
    <header className="lane-head">
      <ModelChoice
        key={lane.id}
        label={which === 0 ? 'Model' : 'Second model'}
        models={models}
        chosen={found}
        onChoose={(next) => onModel(lane, next)}
      />
      <Button
        kind="quiet"
        icon={X}
        aria-label={`Stop comparing ${showOddCharacters(found.name)}`}
        word="Stop"
        onClick={() => showToast('Comparison closed', store.closeLane(lane.id))}
      />
    </header>
  )
}

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
