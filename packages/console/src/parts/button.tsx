import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactNode } from 'react'
import './button.css'

interface ButtonProps extends ComponentProps<'button'> {
  /** primary: the one thing to do here; plain: others; quiet: without a border; danger: takes something away. */
  kind?: 'primary' | 'plain' | 'quiet' | 'danger'
  size?: 'usual' | 'small'
  icon?: LucideIcon
  /** The action is under way: the button is disabled and says so. */
  isBusy?: boolean
  children?: ReactNode
}

/** A button without children needs an aria-label; its title then shows the same. */
export function Button({
  kind = 'plain',
  size = 'usual',
  icon: Icon,
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
      {isBusy ? <span className="spinner" aria-hidden /> : Icon && <Icon size={16} aria-hidden />}
      {children}
    </button>
  )
}
