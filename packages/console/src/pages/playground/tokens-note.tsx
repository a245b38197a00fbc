import { Button } from '../../parts/control/button.tsx'
import { Name } from '../../parts/text/name.tsx'
import type { Lane } from './conversation/chats.ts'
import { modelsWithout } from './models/feature-note.tsx'
import type { Model } from './models/lane-model.ts'
import type { Settings } from './settings/settings.ts'

interface TokensNoteProps {
  lanes: readonly Lane[]
  models: readonly Model[]
  settings: Settings
  onTurnOn: () => void
}

/** Shown in the tokens view as long as it has nothing to show, with the reason and the remedy. */
export function TokensNote({ lanes, models, settings, onTurnOn }: TokensNoteProps) {
  const [lacking] = modelsWithout(models, 'logprobs')
  if (settings.logprobs && !isAnyWithoutTokens(lanes)) return null
  return (
    <div className="playground-note small" role="status">
      {lacking ? (
        <span>
          The tokens view needs log probabilities, and no device serving <Name text={lacking.name} /> supports them.
        </span>
      ) : settings.logprobs ? (
        <span>Log probabilities are on from the next response. Earlier responses have none and are shown as text.</span>
      ) : (
        <>
          <span>The tokens view needs log probabilities, which are off. Responses are shown as text.</span>
          <Button size="small" onClick={onTurnOn}>
            Turn on for the next response
          </Button>
        </>
      )}
    </div>
  )
}

function isAnyWithoutTokens(lanes: readonly Lane[]): boolean {
  return lanes.some(({ turns }) =>
    turns.some(
      (turn) =>
        turn.role === 'assistant' &&
        turn.state !== 'running' &&
        turn.answer.choices.some(({ text, tokenCount }) => text !== '' && tokenCount === 0),
    ),
  )
}
