import { Link } from '@tanstack/react-router'
import type { ComponentProps } from 'react'
import type { Schemas } from '../../api/client.ts'
import { formatSpeed } from '../../lib/format.ts'
import { State } from '../../parts/text/badge.tsx'
import { Name } from '../../parts/text/name.tsx'
import { Section } from '../../parts/frame/page.tsx'

type Device = Schemas['Device']

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
                <State {...describe(device)} />
                {device.state !== 'offline' && device.tokensPerSecond !== null && (
                  <span className="text-soft tabular-nums">{formatSpeed(device.tokensPerSecond)} tokens/s</span>
                )}
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

function describe({ state, isPaused, running, slots, lastSeenAt }: Device): ComponentProps<typeof State> {
  if (state === 'offline') return { tone: 'calm', word: lastSeenAt === null ? 'Never connected' : 'Offline' }
  if (isPaused) return { tone: 'warn', word: 'Paused' }
  if (state === 'draining') return { tone: 'warn', word: 'Stopping' }
  return { tone: 'good', word: running > 0 ? `${running} of ${slots} busy` : 'Idle' }
}
