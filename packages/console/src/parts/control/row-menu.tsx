import { EllipsisVertical, Trash2 } from 'lucide-react'
import type { ReactNode } from 'react'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Button } from './button.tsx'
import { Menu, MenuItem } from './menu.tsx'

/** The actions at the end of a row, the same on every page. `of` is the name of the row. */
export function RowMenu({ of, children }: { of: string; children: ReactNode }) {
  const names = { word: 'Actions', 'aria-label': `Actions for ${showOddCharacters(of)}` }
  return <Menu trigger={<Button kind="quiet" size="small" icon={EllipsisVertical} {...names} />}>{children}</Menu>
}

/** Deletes a row at once: a toast then offers to undo it. */
export function DeleteItem({ onSelect }: { onSelect: () => void }) {
  return <MenuItem title="Delete" icon={Trash2} isDanger onSelect={onSelect} />
}

/** The same for a row that can only be revoked. */
export function RevokeMenu({ of, onRevoke }: { of: string; onRevoke: () => void }) {
  return (
    <RowMenu of={of}>
      <MenuItem title="Revoke" icon={Trash2} isDanger onSelect={onRevoke} />
    </RowMenu>
  )
}
