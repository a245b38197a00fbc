import { ArrowUp, Paperclip, Square } from 'lucide-react'
import { useEffect, useRef, type ClipboardEvent, type KeyboardEvent, type RefObject } from 'react'
import { Button } from '../../../parts/control/button.tsx'
import { Attachments } from './attachments.tsx'
import type { Attachment } from '../conversation/conversation.ts'
import './composer.css'

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
  const { draft, files, isRunning, obstacle, onSend, onDetach } = props
  const field = useRef<HTMLTextAreaElement>(null)
  const maySend = (draft.trim() !== '' || files.length > 0) && !isRunning && obstacle === undefined
  const submit = () => maySend && onSend()
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
        <Attachments files={files} onRemove={onDetach} />
        <div className="composer-line">
          <AttachButton onAttach={props.onAttach} />
          <Field field={field} onSubmit={submit} {...props} />
          <SendButton {...{ isRunning, maySend }} onStop={props.onStop} />
        </div>
      </div>
      <p
        id="composer-note"
        className={`composer-note small ${obstacle === undefined ? 'faint' : 'field-error'}`}
        role={obstacle === undefined ? undefined : 'alert'}
      >
        {obstacle ?? props.note}
      </p>
    </form>
  )
}

interface FieldProps extends Pick<ComposerProps, 'draft' | 'onDraft' | 'onAttach' | 'onEditLast'> {
  field: RefObject<HTMLTextAreaElement | null>
  onSubmit: () => void
}

function Field({ field, draft, onDraft, onAttach, onEditLast, onSubmit }: FieldProps) {
  function press(event: KeyboardEvent): void {
    const act = isSend(event) ? onSubmit : event.key === 'ArrowUp' && draft === '' ? onEditLast : undefined
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
    <textarea
      ref={field}
      aria-label="Your message"
      aria-describedby="composer-note"
      placeholder="Type a message"
      rows={1}
      value={draft}
      onChange={(event) => onDraft(event.target.value)}
      onKeyDown={press}
      onPaste={paste}
    />
  )
}

function AttachButton({ onAttach }: Pick<ComposerProps, 'onAttach'>) {
  const input = useRef<HTMLInputElement>(null)
  return (
    <>
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
        className="composer-button"
        aria-label="Attach text files"
        word="Attach"
        onClick={() => input.current?.click()}
      />
    </>
  )
}

interface SendButtonProps {
  isRunning: boolean
  maySend: boolean
  onStop: () => void
}

function SendButton({ isRunning, maySend, onStop }: SendButtonProps) {
  if (isRunning)
    return (
      <Button icon={Square} className="composer-button" onClick={onStop}>
        Stop
      </Button>
    )
  return (
    <Button type="submit" kind="primary" icon={ArrowUp} className="composer-button" disabled={!maySend}>
      Send
    </Button>
  )
}

/** People come here to type. On a touch screen, focus would open the keyboard over half the page. */
function useFocusAtOnce(field: RefObject<HTMLTextAreaElement | null>): void {
  useEffect(() => {
    if (window.matchMedia('(pointer: fine)').matches) field.current?.focus({ preventScroll: true })
  }, [field])
}

/** While an input method composes a character, Enter belongs to the input method. */
function isSend(event: KeyboardEvent): boolean {
  return event.key === 'Enter' && !event.shiftKey && !event.nativeEvent.isComposing
}
