import type { Shapes } from '../../api/client.ts'
import { Name } from '../text/name.tsx'

interface TakeOverProps {
  /** The device that continued. */
  device: string
  takeOver: NonNullable<Shapes['Request']['takeOver']>
}

/** A reply outlived its device: who continued it, and how long the reader waited. Without a capital, because it also stands in tables. */
export function TakeOver({ device, takeOver: { left, gapMs } }: TakeOverProps) {
  return (
    <>
      continued on <Name text={device} /> after <Name text={left.name} /> went away, {formatPause(gapMs)}
    </>
  )
}

/** Tenths of a second: shorter pauses look like the usual ones between two words. */
function formatPause(ms: number): string {
  return ms < 100 ? 'under 0.1 s' : `${(ms / 1_000).toFixed(1)} s`
}
