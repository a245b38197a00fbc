import { EllipsisVertical } from 'lucide-react'
import type { ReactNode } from 'react'
import { showOddCharacters } from '../../lib/odd-characters.ts'
import { Button } from './button.tsx'
import { Menu } from './menu.tsx'

/** The actions at the end of a row, the same on every page. `of` is the name of the row. */
export function RowMenu({ of, children }: { of: string; children: ReactNode }) {
  const names = { word: 'Actions', 'aria-label': `Actions for ${showOddCharacters(of)}` }
  return <Menu trigger={<Button kind="quiet" size="small" icon={EllipsisVertical} {...names} />}>{children}</Menu>
}
