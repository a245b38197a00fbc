import { useId, useState, type ComponentProps, type FormEvent, type ReactNode } from 'react'

interface FieldProps {
  label: string
  /** A sentence under the field. */
  hint?: ReactNode
  /** Screen readers announce it as soon as it appears. */
  error?: string | undefined
}

/** Instead of `onChange`, for those who only want the text. */
interface TextProps extends FieldProps {
  onText?: (text: string) => void
}

/** A labeled text input. Passes all other props to the <input>. A password can be shown. */
export function TextField({ label, hint, error: given, onText, ...input }: TextProps & ComponentProps<'input'>) {
  const id = useId()
  const { error = given, ...watch } = useValidation()
  const [isShown, setShown] = useState(false)
  const isSecret = input.type === 'password'
  const field = (
    <input
      id={id}
      className="input"
      {...describedBy(id, hint, error)}
      {...watch}
      {...passOn(onText)}
      {...input}
      {...(isShown && { type: 'text' })}
    />
  )
  return (
    <Field id={id} label={label} hint={hint} error={error} isOptional={input.required === false}>
      {isSecret ? (
        <div className="relative [&>.input]:pr-40">
          {field}
          {/* It lies over the end of the field. */}
          <button
            className="absolute inset-y-0 right-0 text-small text-soft rounded px-7.5 py-0 hover:text-ink"
            type="button"
            aria-controls={id}
            onClick={() => setShown(!isShown)}
          >
            {isShown ? 'Hide' : 'Show'}
            <span className="sr-only"> password</span>
          </button>
        </div>
      ) : (
        field
      )}
    </Field>
  )
}

export function TextArea({ label, hint, error: given, onText, ...input }: TextProps & ComponentProps<'textarea'>) {
  const id = useId()
  const { error = given, ...watch } = useValidation()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <textarea id={id} className="input" {...describedBy(id, hint, error)} {...watch} {...passOn(onText)} {...input} />
    </Field>
  )
}

/** What is wrong with a field, below it and in our words. Browsers would show it in a bubble. */
function useValidation() {
  const [error, setError] = useState<string>()
  return {
    ...(error !== undefined && { error }),
    onInvalid: (event: FormEvent<HTMLInputElement | HTMLTextAreaElement>) => {
      event.preventDefault()
      const field = event.currentTarget
      setError(messageFor(field))
      if (field.form?.querySelector(':is(input, textarea):invalid') === field) field.focus()
    },
    onInput: () => setError(undefined),
  }
}

function messageFor({ validity, validationMessage, minLength, type }: HTMLInputElement | HTMLTextAreaElement): string {
  if (validity.valueMissing) return 'Fill in this field.'
  if (validity.tooShort) return `Use at least ${minLength} characters.`
  if (validity.typeMismatch && type === 'email') return 'Enter a full email address, such as ada@example.com.'
  return validationMessage
}

interface SelectProps extends TextProps, ComponentProps<'select'> {
  /** Each with its title. */
  options?: readonly (readonly [value: string | number, title: string])[]
}

/** The browser's own select, which works with keyboards, phones and screen readers. Children come before the options. */
export function SelectField({ label, hint, error, onText, options = [], children, ...input }: SelectProps) {
  const id = useId()
  return (
    <Field id={id} label={label} hint={hint} error={error}>
      <select id={id} className="input select" {...describedBy(id, hint, error)} {...passOn(onText)} {...input}>
        {children}
        {options.map(([value, title]) => (
          <option key={value} value={value}>
            {title}
          </option>
        ))}
      </select>
    </Field>
  )
}

export function CheckField({ label, hint, error, ...input }: FieldProps & ComponentProps<'input'>) {
  const id = useId()
  return (
    <div className="grid grid-cols-[auto_1fr] gap-x-6 gap-y-1 items-center [&>:nth-child(n+3)]:col-start-2">
      <input className="size-11 m-0" id={id} type="checkbox" {...describedBy(id, hint, error)} {...input} />
      <label htmlFor={id}>{label}</label>
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

interface FrameProps extends FieldProps {
  id: string
  isOptional?: boolean
  children: ReactNode
}

function Field({ id, label, hint, error, isOptional = false, children }: FrameProps) {
  return (
    <div className="field grid gap-3.5 min-w-0">
      <label className="font-medium" htmlFor={id}>
        {label} {isOptional && <span className="text-faint font-normal">(optional)</span>}
      </label>
      {children}
      <Notes id={id} hint={hint} error={error} />
    </div>
  )
}

function Notes({ id, hint, error }: Pick<FieldProps, 'hint' | 'error'> & { id: string }) {
  return (
    <>
      {hint !== undefined && (
        <p id={`${id}-hint`} className="text-small text-soft">
          {hint}
        </p>
      )}
      {error !== undefined && (
        <p id={`${id}-error`} className="text-small text-bad" role="alert">
          {error}
        </p>
      )}
    </>
  )
}

function describedBy(id: string, hint: ReactNode, error: string | undefined) {
  const notes = [hint !== undefined && `${id}-hint`, error !== undefined && `${id}-error`].filter(Boolean)
  return {
    'aria-describedby': notes.length > 0 ? notes.join(' ') : undefined,
    'aria-invalid': error !== undefined || undefined,
  }
}

function passOn(onText: ((text: string) => void) | undefined) {
  return onText && { onChange: ({ target }: { target: { value: string } }) => onText(target.value) }
}
