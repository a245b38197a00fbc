/** A key's fingerprint: words to read aloud, and digits for those who prefer them. */
export function Fingerprint({ fingerprint: { words, hex } }: { fingerprint: { words: string; hex: string } }) {
  return (
    <span className="grid gap-1 min-w-130 text-balance">
      <span>{words}</span>
      <code className="text-faint text-tiny">{hex}</code>
    </span>
  )
}
