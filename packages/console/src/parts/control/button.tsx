import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'

interface ButtonProps extends ComponentProps<'button'> {
  /** primary: the main action; plain: other actions; quiet: no border; danger: removes something. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 'usual' | 'small'
  icon?: LucideIcon
  /** For a button without children: what to say on a phone, where nothing explains an icon. */
  word?: string
  /** The action is running: the button is disabled and shows a spinner. */
  isBusy?: boolean
  children?: ReactNode
}

/** A button without children needs an aria-label, which also becomes its tooltip. */
export function Button({
  kind = 'plain',
  size = 'usual',
  icon: Icon,
  word,
  isBusy = false,
  disabled,
  children,
  className = '',
  ...rest
}: ButtonProps) {
  const isBare = children === undefined
  return (
    <button
      type="button"
      className={`button button-${kind} button-${size} ${isBare ? 'button-bare' : ''} ${className}`}
      disabled={disabled === true || isBusy}
      aria-busy={isBusy || undefined}
      title={isBare ? rest['aria-label'] : undefined}
      {...rest}
    >
      {isBusy ? (
        <span
          className="size-[1em] border-2 border-current border-r-transparent rounded-full animate-turn"
          aria-hidden
        />
      ) : (
        Icon && <Icon size={16} aria-hidden />
      )}
      {isBare && word !== undefined && <span className="button-word">{word}</span>}
      {children}
    </button>
  )
}
