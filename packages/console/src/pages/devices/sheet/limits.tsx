import { Gauge, Layers, Lock, Network, Ruler, type LucideIcon } from 'lucide-react'
import type { Shapes } from '../../../api/client.ts'
import { Name } from '../../../parts/text/name.tsx'
import { findLimits, type Limit } from './device-limits.ts'
import '../devices.css'

const ICONS: Record<Limit['about'], LucideIcon> = {
  speed: Gauge,
  context: Ruler,
  slots: Layers,
  link: Network,
  library: Lock,
}

/** Says why the device can’t do more. */
export function Limits({ device }: { device: Shapes['Device'] }) {
  const limits = findLimits(device)
  if (limits.length === 0) return null
  return (
    <section className="stack-small">
      <h3>Limits</h3>
      <ul className="device-limits">
        {limits.map(({ about, text }, index) => {
          const Icon = ICONS[about]
          return (
            <li key={index}>
              <Icon size={16} aria-hidden />
              <Name text={text} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
