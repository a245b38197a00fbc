import { Name } from '../text/name.tsx'

interface TakeOverProps {
  /** The device that continued. */
  device: string
  takeOver: { left: { name: string }; gapMs: number }
}

/** A reply outlived its device: who continued it, and how long the reader waited. Without a capital, because it also stands in tables. */
export function TakeOver({ device, takeOver: { left, gapMs } }: TakeOverProps) {
  return (
    // A long name must not push the rest of the sentence out of sight.
    <span className="[&_.name]:inline-block [&_.name]:max-w-70 [&_.name]:align-bottom">
      continued on <Name text={device} isCut /> after <Name text={left.name} isCut /> went away, {formatPause(gapMs)}
    </span>
  )
}

/** Tenths of a second: shorter pauses look like the usual ones between two words. The unit stays on the line of its number. */
function formatPause(ms: number): string {
  return ms < 100 ? 'under 0.1\u00A0s' : `${(ms / 1_000).toFixed(1)}\u00A0s`
}
