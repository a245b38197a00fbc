import { Lock } from 'lucide-react'

/** A lock beside a request that was sealed. */
export function SealedMark() {
  return (
    <span className="inline-flex text-good" title="Sealed: the gateway couldn't read it">
      <Lock size={14} aria-hidden />
      <span className="sr-only">Sealed</span>
    </span>
  )
}
