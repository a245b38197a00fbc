import { ExternalLink } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { createPortal } from 'react-dom'
import { CopyButton } from '../code/copy-button.tsx'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from '../dialog/dialog.tsx'
import { Name } from '../text/name.tsx'

/** A link in model output. Its text may lie about the target, so the full URL is shown before it opens. */
export function OutsideLink({ address, children }: { address: string; children: ReactNode }) {
  const [isAsking, setAsking] = useState(false)
  if (!isWebAddress(address)) return <span className="model-text">{children}</span>
  return (
    <>
      <button
        type="button"
        className="inline text-start text-accent-text [text-decoration:underline_1px] [text-underline-offset:2px] wrap-anywhere"
        onClick={() => setAsking(true)}
      >
        {children}
      </button>
      {isAsking &&
        // The link may be inside a paragraph, which cannot contain a dialog.
        createPortal(<AskDialog address={new URL(address).href} onClose={() => setAsking(false)} />, document.body)}
    </>
  )
}

function AskDialog({ address, onClose }: { address: string; onClose: () => void }) {
  return (
    <Dialog title="Leave the console?" about="The model wrote this link. It opens:" onClose={onClose}>
      <p className="font-mono bg-sunken rounded px-8 py-6">
        <Name text={address} />
      </p>
      <DialogActions>
        <CopyButton size="usual" text={address} label="Copy URL" />
        <Button onClick={onClose}>Stay here</Button>
        <a
          className="button button-primary"
          href={address}
          target="_blank"
          rel="noopener noreferrer"
          onClick={() => setTimeout(onClose)}
        >
          <ExternalLink size={16} aria-hidden />
          Open in a new tab
        </a>
      </DialogActions>
    </Dialog>
  )
}

/** Other schemes could start programs or run scripts in this page. */
function isWebAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '')
}
