import { Dialog } from '../parts/dialog/dialog.tsx'
import { SIDEBAR_PAGES } from '../session/sidebar-pages.ts'
import { SEARCH_KEYS } from './search-keys.ts'

const OTHERS = [
  { keys: SEARCH_KEYS, does: 'Search or jump to anything' },
  { keys: ['/'], does: 'Filter the list' },
  { keys: ['?'], does: 'Show these shortcuts' },
  { keys: ['Esc'], does: 'Close the dialog or menu' },
  { keys: ['Enter'], does: 'Playground: send the message' },
  { keys: ['Shift', 'Enter'], does: 'Playground: start a new line' },
  { keys: ['↑'], does: 'Playground: edit your last message' },
  { keys: ['Esc'], does: 'Playground: stop the response' },
]

export function KeyboardHelp({ onClose }: { onClose: () => void }) {
  const jumps = SIDEBAR_PAGES.map(({ key, title }) => ({ keys: ['g', key], does: `Go to ${title}` }))
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <dl className="divided">
        {[...jumps, ...OTHERS].map(({ keys, does }) => (
          <div className="flex justify-between py-4" key={does}>
            <dt>{does}</dt>
            <dd className="flex gap-3">
              {keys.map((key) => (
                <kbd key={key}>{key}</kbd>
              ))}
            </dd>
          </div>
        ))}
      </dl>
    </Dialog>
  )
}
