import { Link } from '@tanstack/react-router'
import type { Shapes } from '../../api/client.ts'
import { formatSpeed } from '../../lib/format.ts'
import { State, type Tone } from '../../parts/text/badge.tsx'
import { Name } from '../../parts/text/name.tsx'
import { Section } from '../../parts/frame/page.tsx'
import './device-strip.css'

type Device = Shapes['Device']

/** More would hide what comes after them. */
const MOST = 8

/** The devices at a glance, those that work first. */
export function DeviceStrip({ devices }: { devices: readonly Device[] }) {
  const ordered = devices.toSorted((one, other) => rankOf(one) - rankOf(other))
  const left = ordered.length - MOST
  return (
    <Section title="Devices">
      <ul className="device-strip">
        {ordered.slice(0, MOST).map((device) => (
          <li key={device.id}>
            <Link to="/devices" search={{ open: device.id }} className="card device-card">
              <Name text={device.name} isStrong isCut />
              <span className="device-line">
                <DeviceWord device={device} />
                <Speed device={device} />
              </span>
            </Link>
          </li>
        ))}
        {left > 0 && (
          <li>
            <Link to="/devices" className="card device-card device-more">
              {left} more
            </Link>
          </li>
        )}
      </ul>
    </Section>
  )
}

function rankOf({ state, isPaused }: Device): number {
  if (state === 'offline') return 2
  return isPaused ? 1 : 0
}

function DeviceWord({ device: { state, isPaused, running, slots, lastSeenAt } }: { device: Device }) {
  const [tone, word] = ((): [Tone, string] => {
    if (state === 'offline') return ['calm', lastSeenAt === null ? 'Never connected' : 'Offline']
    if (isPaused) return ['warn', 'Paused']
    if (state === 'draining') return ['warn', 'Stopping']
    return ['good', running > 0 ? `${running} of ${slots} busy` : 'Idle']
  })()
  return <State tone={tone}>{word}</State>
}

function Speed({ device: { state, tokensPerSecond } }: { device: Device }) {
  if (state === 'offline' || tokensPerSecond === null) return null
  return <span className="soft numbers">{formatSpeed(tokensPerSecond)} tokens/s</span>
}
