import { formatBytes, plural } from '../../../lib/format.ts'
import { Badge } from '../../../parts/text/badge.tsx'
import { Problem } from '../../../parts/feedback/states.tsx'
import { estimateOn, type DeviceMachine } from './device-machine.ts'
import { Expectation, ROW, WARNING } from './known-models.tsx'
import type { ModelChoice } from './model-choice.ts'
import { useLookUp, type Size } from './use-look-up.ts'

interface HubProps {
  lookUp: ReturnType<typeof useLookUp>
  machine: DeviceMachine | undefined
  /** Looks up this reference. */
  onLookUp: (reference: string) => void
  onChoose: (choice: ModelChoice) => void
}

export function HubModels({ lookUp: { isSearching, failure, hits, sizes }, machine, onLookUp, onChoose }: HubProps) {
  if (machine === undefined)
    return <p className={WARNING}>No device can search the model hub. Start one that lets admins add models.</p>
  return (
    <section className="stack-small" aria-label="Model hub" aria-busy={isSearching}>
      <h3>On the model hub</h3>
      {isSearching && (
        <p className="text-soft" role="status">
          Searching through {machine.device.name}…
        </p>
      )}
      {!isSearching && failure && <Problem error={failure} />}
      {!isSearching && (
        <ul
          className="divided grid max-h-[min(26rem,50dvh)] overflow-y-auto border border-line rounded empty:hidden"
          aria-label="Found on the model hub"
        >
          {sizes.map((size) => (
            <li key={size.choice.source}>
              <SizeButton size={size} machine={machine} onChoose={() => onChoose(size.choice)} />
            </li>
          ))}
          {hits.map(({ source, downloads, license }) => (
            <li key={source}>
              <button type="button" className={ROW} onClick={() => onLookUp(source)}>
                <span className="font-medium wrap-anywhere">{source.slice('hf:'.length)}</span>
                <span className="text-soft text-small tabular-nums">
                  {licenseText(license)} · {plural(downloads, 'download')} · show sizes
                </span>
              </button>
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

function SizeButton({ size, machine, onChoose }: { size: Size; machine: DeviceMachine; onChoose: () => void }) {
  const { quant, choice, isUsual } = size
  const { facts, license } = choice
  const estimate = facts.bytes === 0 ? undefined : estimateOn(machine, facts)
  const isBest = isUsual && quant !== undefined && estimate !== undefined && estimate.fit.grade !== 'too-large'
  return (
    <button type="button" className={ROW} onClick={onChoose}>
      <span className="flex flex-wrap gap-x-6 gap-y-1 items-baseline">
        <span className="font-medium wrap-anywhere">{facts.name}</span>
        {quant !== undefined && <code className="text-soft text-small">{quant}</code>}
        {isBest && <Badge tone="good">Best balance for {machine.device.name}</Badge>}
        <span className="tabular-nums ml-auto">{facts.bytes === 0 ? 'Size unknown' : formatBytes(facts.bytes)}</span>
      </span>
      {estimate && <Expectation estimate={estimate} />}
      <span className="text-soft text-small">{licenseText(license?.name)}</span>
    </button>
  )
}

function licenseText(license: string | null | undefined): string {
  return license == null ? 'License not stated' : `License: ${license}`
}
