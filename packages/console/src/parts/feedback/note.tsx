import type { LucideIcon } from 'lucide-react'
import type { ReactNode } from 'react'

interface NoteProps {
  icon: LucideIcon
  children: ReactNode
}

/** What someone should know about a thing, and what to do. */
export function Advice({ icon: Icon, children }: NoteProps) {
  return (
    <div className="flex gap-7 px-9 py-7.5 text-warn bg-warn-soft rounded [&>svg]:mt-1">
      <Icon size={18} aria-hidden />
      <div>{children}</div>
    </div>
  )
}

/** The same in one line, above a page or in a dialog. */
export function Banner({ icon: Icon, size = 17, children, ...rest }: NoteProps & { size?: number; role?: 'note' }) {
  return (
    // Dialogs have a gap of their own.
    <div
      className="flex items-center gap-6 mb-12.5 px-9 py-6 text-warn bg-warn-soft rounded in-[.dialog]:mb-0"
      {...rest}
    >
      <Icon size={size} aria-hidden />
      {children}
    </div>
  )
}
