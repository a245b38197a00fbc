import { Lock } from 'lucide-react'
import './sealed-mark.css'

/** A lock beside a request that was sealed. */
export function SealedMark() {
  return (
    <span className="sealed-mark" title="Sealed: the gateway couldn't read it">
      <Lock size={14} aria-hidden />
      <span className="unseen">Sealed</span>
    </span>
  )
}
