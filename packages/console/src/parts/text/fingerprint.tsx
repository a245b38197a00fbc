import type { Shapes } from '../../api/client.ts'
import './fingerprint.css'

/** A key's fingerprint: words to read aloud, and digits for those who prefer them. */
export function Fingerprint({ fingerprint: { words, hex } }: { fingerprint: Shapes['Fingerprint'] }) {
  return (
    <span className="fingerprint">
      <span>{words}</span>
      <code className="faint">{hex}</code>
    </span>
  )
}
