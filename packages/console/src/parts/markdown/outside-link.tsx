import { ExternalLink } from 'lucide-react'
import { useState, type ReactNode } from 'react'
import { CopyButton } from '../code/copy-button.tsx'
import { Button } from '../control/button.tsx'
import { Dialog, DialogActions } from '../dialog/dialog.tsx'
import { Name } from '../text/name.tsx'

/** A link in model output. Its text may lie about the target, so the full URL is shown before it opens. */
export function OutsideLink({ address, children }: { address: string; children: ReactNode }) {
  const [isAsking, setAsking] = useState(false)
  if (!isWebAddress(address)) return <span className="model-text">{children}</span>
  const { href } = new URL(address)
  const close = () => setAsking(false)
  return (
    <>
      <button
        type="button"
        className="inline text-start text-accent-text [text-decoration:underline_1px] [text-underline-offset:2px] wrap-anywhere"
        onClick={() => setAsking(true)}
      >
        {children}
      </button>
      {isAsking && (
        <Dialog title="Leave the console?" about="The model wrote this link. It opens:" onClose={close}>
          <p className="font-mono bg-sunken rounded px-8 py-6">
            <Name text={href} />
          </p>
          <DialogActions>
            <CopyButton size="usual" text={href} label="Copy URL" />
            <Button onClick={close}>Stay here</Button>
            <a
              className="button button-primary"
              href={href}
              target="_blank"
              rel="noopener noreferrer"
              onClick={() => setTimeout(close)}
            >
              <ExternalLink size={16} aria-hidden />
              Open in a new tab
            </a>
          </DialogActions>
        </Dialog>
      )}
    </>
  )
}

/** Other schemes could start programs or run scripts in this page. */
function isWebAddress(address: string): boolean {
  return /^https?:$/.test(URL.parse(address)?.protocol ?? '')
}
