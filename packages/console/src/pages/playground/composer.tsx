import { ArrowUp, Square } from 'lucide-react'
import { useEffect, useRef, type KeyboardEvent } from 'react'
import { Button } from '../../parts/button.tsx'
import { openCalls } from './conversation.ts'
import type { Faults } from './settings.ts'
import type { Conversation } from './use-conversation.ts'
import './composer.css'

interface ComposerProps {
  conversation: Conversation
  draft: string
  onDraft: (draft: string) => void
  faults: Faults
}

export function Composer({ conversation, draft, onDraft, faults }: ComposerProps) {
  const field = useRef<HTMLTextAreaElement>(null)
  const { isRunning, send, stop } = conversation
  const isFaulty = Object.keys(faults).length > 0
  const maySend = draft.trim() !== '' && !isRunning && !isFaulty

  function submit(): void {
    if (!maySend) return
    send(draft)
    onDraft('')
  }

  useFocusAtOnce(field)

  return (
    <form
      className="composer"
      onSubmit={(event) => {
        event.preventDefault()
        submit()
      }}
    >
      <div className="composer-box">
        <textarea
          ref={field}
          aria-label="Your message"
          aria-describedby="composer-note"
          placeholder="Type a message"
          rows={1}
          value={draft}
          onChange={(event) => onDraft(event.target.value)}
          onKeyDown={(event) => isSend(event) && (event.preventDefault(), submit())}
        />
        {isRunning ? (
          <Button icon={Square} className="composer-button" aria-label="Stop" onClick={stop} />
        ) : (
          <Button
            type="submit"
            kind="primary"
            icon={ArrowUp}
            className="composer-button"
            aria-label="Send"
            disabled={!maySend}
          />
        )}
      </div>
      <p
        id="composer-note"
        className={`composer-note small ${isFaulty ? 'field-error' : 'faint'}`}
        role={isFaulty ? 'alert' : undefined}
      >
        {noteOf(conversation, isFaulty)}
      </p>
    </form>
  )
}

/** People come here to type. On a touch screen, focus would open the keyboard over half the page. */
function useFocusAtOnce(field: React.RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [field])
}

function noteOf({ turns, isRunning }: Conversation, isFaulty: boolean): string {
  if (isFaulty) return 'Fix the highlighted setting to send.'
  if (isRunning) return 'Press Esc to stop.'
  if (openCalls(turns).length > 0)
    return 'The model is waiting for tool results. If you send a message now, it goes without them.'
  return 'Press Enter to send, Shift + Enter for a new line.'
}

/** While an input method composes a character, Enter belongs to the input method. */
function isSend(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
}
