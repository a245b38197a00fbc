import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent } from 'react'
import { onSubmit } from '../../../lib/on-submit.ts'
import { Button } from '../../../parts/control/button.tsx'
import { Attachments } from './attachments.tsx'
import type { Attachment } from '../conversation/turn.ts'

interface ComposerProps {
  draft: string
  onDraft: (draft: string) => void
  files: readonly Attachment[]
  onAttach: (files: Iterable<File>) => void
  onDetach: (file: Attachment) => void
  isRunning: boolean
  /** Says why nothing can be sent, if so. */
  obstacle: string | undefined
  note: string
  onSend: () => void
  onStop: () => void
  /** Arrow up in an empty field. */
  onEditLast: () => void
}

export function Composer(props: ComposerProps) {
  const { draft, files, isRunning, obstacle, onSend, onDetach, onAttach, onDraft, onEditLast } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const input = useRef<HTMLInputElement>(null)
  const maySend = (draft.trim() !== '' || files.length > 0) && !isRunning && obstacle === undefined
  const submit = () => maySend && onSend()
  // People come here to type. On a touch screen, focus would open the keyboard over half the page.
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [])
  function press(event: KeyboardEvent): void {
    const act = isSend(event) ? submit : event.key === 'ArrowUp' && draft === '' ? onEditLast : undefined
    if (!act) return
    event.preventDefault()
    act()
  }
  function paste(event: ClipboardEvent): void {
    if (event.clipboardData.files.length === 0) return
    event.preventDefault()
    onAttach(event.clipboardData.files)
  }
  return (
    <form className="grid gap-3 pb-10 w-full max-w-reading mx-auto" onSubmit={onSubmit(submit)}>
      <div className="grid gap-4 bg-surface border border-field-line rounded-large shadow-small p-4 has-[textarea:focus-visible]:border-focus has-[textarea:focus-visible]:outline has-[textarea:focus-visible]:outline-focus">
        <Attachments files={files} onRemove={onDetach} />
        <div className="flex items-end gap-5 min-w-0">
          <input
            ref={input}
            type="file"
            multiple
            hidden
            aria-label="Files to attach"
            onChange={({ target }) => {
              if (target.files) onAttach([...target.files])
              target.value = ''
            }}
          />
          <Button
            kind="quiet"
            icon={Paperclip}
            className="rounded-[10px]"
            aria-label="Attach text files"
            word="Attach"
            onClick={() => input.current?.click()}
          />
          <textarea
            ref={field}
            className="flex-1 min-w-0 min-h-22.5 max-h-140 px-5 py-4 resize-none field-sizing-content bg-transparent border-0 outline-none"
            aria-label="Your message"
            aria-describedby="composer-note"
            placeholder="Type a message"
            rows={1}
            value={draft}
            onChange={(event) => onDraft(event.target.value)}
            onKeyDown={press}
            onPaste={paste}
          />
          {isRunning ? (
            <Button icon={Square} className="rounded-[10px]" onClick={props.onStop}>
              Stop
            </Button>
          ) : (
            <Button type="submit" kind="primary" icon={ArrowUp} className="rounded-[10px]" disabled={!maySend}>
              Send
            </Button>
          )}
        </div>
      </div>
      {/* Nobody presses Shift and Enter on a touch screen. */}
      <p
        id="composer-note"
        className={`text-small px-5 ${obstacle === undefined ? 'text-faint pointer-coarse:hidden' : 'text-bad'}`}
        role={obstacle === undefined ? undefined : 'alert'}
      >
        {obstacle ?? props.note}
      </p>
    </form>
  )
}

/** While an input method composes a character, Enter belongs to the input method. */
function isSend(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
}
