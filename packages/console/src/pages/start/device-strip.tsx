import { Link } from '@tanstack/react-router'
import type { Shapes } from '../../api/client.ts'
import { formatSpeed } from '../../lib/format.ts'
import { State, type Tone } from '../../parts/text/badge.tsx'
import { Name } from '../../parts/text/name.tsx'
import { Section } from '../../parts/frame/page.tsx'

type Device = Shapes['Device']

/** More would hide what comes after them. */
const MOST = 8

/** On a phone, a strip that scrolls sideways. */
const SIDEWAYS =
  'phone:grid-cols-none phone:auto-cols-[13rem] phone:grid-flow-col phone:-mx-10 phone:px-10 phone:overflow-x-auto phone:snap-x phone:scroll-px-10 phone:[scrollbar-width:none]'
const CARD =
  'card grid gap-3.5 min-h-full px-10 py-8.5 no-underline transition-[border-color,background] hover:border-line-strong hover:bg-hover'

/** The devices at a glance, those that work first. */
export function DeviceStrip({ devices }: { devices: readonly Device[] }) {
  const ordered = devices.toSorted((one, other) => rankOf(one) - rankOf(other))
  const left = ordered.length - MOST
  return (
    <Section title="Devices">
      <ul className={`grid grid-cols-[repeat(auto-fill,minmax(15.5rem,1fr))] gap-7.5 ${SIDEWAYS}`}>
        {ordered.slice(0, MOST).map((device) => (
          <li className="phone:snap-start" key={device.id}>
            <Link to="/devices" search={{ open: device.id }} className={`${CARD} text-inherit`}>
              <Name text={device.name} isStrong isCut />
              <span className="flex justify-between gap-7.5 text-small text-soft">
                <DeviceWord device={device} />
                <Speed device={device} />
              </span>
            </Link>
          </li>
        ))}
        {left > 0 && (
          <li className="phone:snap-start">
            <Link to="/devices" className={`${CARD} place-content-center text-soft`}>
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
  return <span className="text-soft tabular-nums">{formatSpeed(tokensPerSecond)} tokens/s</span>
}
