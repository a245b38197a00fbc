import './fingerprint.css'

/** A key's fingerprint: words to read aloud, and digits for those who prefer them. */
export function Fingerprint({ fingerprint: { words, hex } }: { fingerprint: { words: string; hex: string } }) {
  return (
    <span className="fingerprint">
      <span>{words}</span>
      <code className="faint">{hex}</code>
    </span>
  )
}
