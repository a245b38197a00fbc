import { useQuery } from '@tanstack/react-query'
import { deviceSpeeds } from '../../../api/queries/devices.ts'
import { formatRelative, formatSpeed, plural } from '../../../lib/format.ts'
import { useNow } from '../../../lib/now.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { Sparkline } from '../../../parts/chart/sparkline.tsx'
import { useSession } from '../../../session/session.ts'

/** One point is no line. */
const LEAST_POINTS = 2

interface SpeedHistoryProps {
  device: string
  model: string
}

/** How fast the device answered with the model, response by response. */
export function SpeedHistory({ device, model }: SpeedHistoryProps) {
  const { organization } = useSession()
  const { data } = useQuery(deviceSpeeds(organization.id, device))
  const now = useNow()
  const points = data?.find(({ name }) => name === model)?.points ?? []
  const [oldest] = points
  if (oldest === undefined || points.length < LEAST_POINTS) return null
  const speeds = points.map(({ tokensPerSecond }) => tokensPerSecond)
  const range = `${formatSpeed(Math.min(...speeds))} to ${formatSpeed(Math.max(...speeds))} tokens/s`
  const since = formatRelative(oldest.at, now)
  return (
    <div className="speeds">
      <Sparkline
        values={speeds}
        label={`Speed of ${showOddCharacters(model)} over the last ${plural(points.length, 'response')}: ${range}`}
      />
      <span className="soft small">
        {range} over the last {plural(points.length, 'response')}, since {since}
      </span>
    </div>
  )
}
