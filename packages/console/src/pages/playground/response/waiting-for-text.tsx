import { useQuery } from '@tanstack/react-query'
import { useEffect, useState } from 'react'
import { models as modelsQuery } from '../../../api/queries/models.ts'
import { waitingRequests } from '../../../api/queries/requests.ts'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { useSession } from '../../../session/session.ts'
import { STALL_MS } from '../request/answer.ts'
import { describeStall, describeWait } from './describe-wait.ts'

/** Most responses begin within this time, and then words would only flicker. */
const LONG_MS = 700

interface WaitingForTextProps {
  model: string
  /** As in performance.now(). */
  since: number
}

/** Dots at first. If it takes longer, what is known: the request is queued, the model is loading, or the prompt is being read. */
export function WaitingForText({ model, since }: WaitingForTextProps) {
  const waitedMs = useElapsed(since)
  return (
    <div className="row waiting-row">
      <span className="dots" aria-hidden>
        <span />
        <span />
        <span />
      </span>
      {waitedMs >= LONG_MS && <Reason model={model} seconds={Math.floor(waitedMs / 1000)} describe={describeWait} />}
    </div>
  )
}

/** Under a response that has stopped growing: what the gateway is doing about it. */
export function Stalled({ model, since }: WaitingForTextProps) {
  const stalledMs = useElapsed(since)
  if (stalledMs < STALL_MS) return null
  return <Reason model={model} seconds={Math.floor(stalledMs / 1000)} describe={describeStall} />
}

interface ReasonProps {
  model: string
  seconds: number
  describe: typeof describeWait
}

function Reason({ model, seconds, describe }: ReasonProps) {
  const { organization } = useSession()
  const { data: models } = useQuery(modelsQuery(organization.id))
  const { data: requests } = useQuery(waitingRequests(organization.id))
  const known = models?.find(({ name }) => name === model)
  const request = requests?.findLast((one) => one.model === model)
  return (
    <span className="small soft" role="status">
      {showOddCharacters(describe(known, request))}{' '}
      {seconds >= 3 && (
        <span className="numbers faint" aria-hidden>
          · {seconds} s so far
        </span>
      )}
    </span>
  )
}

function useElapsed(since: number): number {
  const [now, setNow] = useState(() => performance.now())
  useEffect(() => {
    const timer = setInterval(() => setNow(performance.now()), 500)
    return () => clearInterval(timer)
  }, [])
  return now - since
}
