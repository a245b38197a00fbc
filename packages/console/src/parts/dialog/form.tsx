import type { ComponentProps, ReactNode } from 'react'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../control/button.tsx'
import { Problem } from '../feedback/states.tsx'
import { showToast } from '../feedback/toasts.tsx'
import { Dialog, DialogActions } from './dialog.tsx'

interface FormProps {
  act: () => Promise<unknown>
  /** What to say when that is done. */
  done?: string
  /** The verb on the button. */
  action: ReactNode
  kind?: 'primary' | 'plain' | 'danger'
  disabled?: boolean
  className?: string
  /** The button is as wide as the form. */
  isWide?: boolean
  /** In a dialog, there is a button beside it that does nothing but close. */
  onClose?: () => void
  /** The words on that button. */
  closing?: string
  /** Another button beside it. */
  beside?: ReactNode
  /** Below the button. */
  after?: ReactNode
  children?: ReactNode
}

/** Fields with a button. If the action fails, the form shows the error. */
export function Form(props: FormProps) {
  const { act, action, kind = 'primary', disabled = false, className = 'stack', isWide = false } = props
  const { submit, isBusy, failure } = useSubmit(async () => {
    await act()
    if (props.done !== undefined) showToast(props.done)
  })
  const button = (
    <Button type="submit" kind={kind} isBusy={isBusy} disabled={disabled}>
      {action}
    </Button>
  )
  return (
    <form className={className} onSubmit={submit}>
      {props.children}
      {failure !== undefined && <Problem error={failure} />}
      {props.onClose ? (
        <DialogActions>
          <Button onClick={props.onClose}>{props.closing ?? 'Cancel'}</Button>
          {button}
        </DialogActions>
      ) : isWide ? (
        button
      ) : (
        <div className={props.beside === undefined ? '' : 'row'}>
          {button}
          {props.beside}
        </div>
      )}
      {props.after}
    </form>
  )
}

export interface FormDialogProps
  extends
    Omit<FormProps, 'isWide' | 'beside' | 'after'>,
    Pick<ComponentProps<typeof Dialog>, 'title' | 'of' | 'about'> {
  onClose: () => void
  /** Above the form. */
  before?: ReactNode
}

/** A form in a dialog, which closes when the action is done. */
export function FormDialog({ title, of, about, act, onClose, before, ...form }: FormDialogProps) {
  const actAndClose = async () => {
    await act()
    onClose()
  }
  return (
    <Dialog title={title} of={of} about={about} onClose={onClose}>
      {before}
      <Form {...form} act={actAndClose} onClose={onClose} />
    </Dialog>
  )
}
