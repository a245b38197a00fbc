import type { ReactNode } from 'react'
import { capitalize } from '../../lib/format.ts'
import { ConfirmDialog } from './confirm-dialog.tsx'

interface EndProps {
  verb: 'Remove' | 'Revoke'
  thing: string
  /** Its name, which people type. */
  of: string
  act: () => Promise<unknown>
  onClose: () => void
  /** What follows. */
  children: ReactNode
}

/** Asks before something that has a name ends for good. */
export function EndDialog({ verb, thing, ...dialog }: EndProps) {
  const done = `${capitalize(thing)} ${verb.toLowerCase()}d`
  return <ConfirmDialog title={verb} action={`${verb} ${thing}`} done={done} {...dialog} />
}
