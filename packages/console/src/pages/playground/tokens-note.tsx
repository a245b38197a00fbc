import { Button } from '../../parts/control/button.tsx'
import type { Model } from './models/chosen-model.ts'
import { Name } from '../../parts/text/name.tsx'
import type { ChatColumn } from './conversation/chats.ts'
import { modelsWithout } from './models/feature-note.tsx'
import type { Settings } from './settings/settings.ts'

interface TokensNoteProps {
  columns: readonly ChatColumn[]
  models: readonly Model[]
  settings: Settings
  onTurnOn: () => void
}

/** Shown in the tokens view as long as it has nothing to show, with the reason and the remedy. */
export function TokensNote({ columns, models, settings, onTurnOn }: TokensNoteProps) {
  const [lacking] = modelsWithout(models, 'logprobs')
  if (settings.logprobs && !isAnyWithoutTokens(columns)) return null
  return (
    <div
      className="text-small flex flex-wrap items-center justify-between gap-x-10 gap-y-5 bg-sunken border border-line rounded px-7.5 py-5"
      role="status"
    >
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

function isAnyWithoutTokens(columns: readonly ChatColumn[]): boolean {
  return columns.some(({ turns }) =>
    turns.some(
      (turn) =>
        turn.role === 'assistant' &&
        turn.state !== 'running' &&
        turn.answer.choices.some(({ text, tokenCount }) => text !== '' && tokenCount === 0),
    ),
  )
}
