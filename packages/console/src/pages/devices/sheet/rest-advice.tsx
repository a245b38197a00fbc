import { Moon } from 'lucide-react'
import type { Schemas } from '../../../api/client.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Advice } from '../../../parts/feedback/note.tsx'

type Device = Schemas['Device']
type Rest = NonNullable<Device['rest']>

/** Why a connected device takes no requests, and when it will. */
export function RestAdvice({ device }: { device: Device }) {
  const reason = describeReason(device)
  if (reason === undefined) return null
  const [title, next] = reason
  return (
    <Advice icon={Moon}>
      <strong>{title}</strong> {next}
    </Advice>
  )
}

function describeReason({ state, isPaused, rest }: Device): [title: string, next: string] | undefined {
  if (state === 'offline') return undefined
  if (isPaused)
    return [
      'An admin paused this device.',
      'It finishes its running requests and gets no new ones until it is resumed.',
    ]
  if (state === 'draining')
    return ['This device is shutting down.', 'It hands its running requests to other devices, or finishes them.']
  return rest === null ? undefined : describeRest(rest)
}

function describeRest({ reason, until }: Rest): [title: string, next: string] {
  switch (reason) {
    case 'paused':
      return ['Its owner paused this device.', 'To resume it, run this on the device: hearth-device resume']
    case 'hours':
      return [
        'It’s outside the hours that its owner set.',
        until === null
          ? 'It starts again by itself.'
          : `It starts again at ${showOddCharacters(until)}, its local time.`,
      ]
    case 'battery':
      return ['This device is on battery.', 'It starts again when it’s plugged in.']
    case 'sleep':
      return ['This device is going to sleep.', 'It starts again when it wakes up.']
    case 'other':
      return ['This device takes no requests right now.', 'To see why, run this on the device: hearth-device status']
    default:
      return reason satisfies never
  }
}
