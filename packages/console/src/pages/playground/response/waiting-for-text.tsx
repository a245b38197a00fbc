import { useEffect, useState } from 'react'
import { showOddCharacters } from '../../../lib/odd-characters.ts'
import { useRead } from '../../../session/use-read.ts'
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
    <div className="row flex-nowrap items-start [&>.text-small]:pt-1">
      <span className="flex gap-3.5 py-5" aria-hidden>
        {['0s', '0.15s', '0.3s'].map((animationDelay) => (
          <span
            key={animationDelay}
            className="size-5 bg-calm-mark rounded-full motion-safe:animate-dot"
            style={{ animationDelay }}
          />
        ))}
      </span>
      {waitedMs >= LONG_MS && <Reason model={model} ms={waitedMs} />}
    </div>
  )
}

interface StalledProps extends WaitingForTextProps {
  /** The id of the device that began the response. */
  device: string | null
}

/** Under a response that has stopped growing: what the gateway is doing about it. */
export function Stalled({ since, ...props }: StalledProps) {
  const ms = useElapsed(since)
  return ms < STALL_MS ? null : <StallReason {...props} ms={ms} />
}

function StallReason({ model, device, ms }: Omit<StalledProps, 'since'> & { ms: number }) {
  const known = useRead('/models').data?.models.find(({ name }) => name === model)
  const began = useRead('/devices').data?.devices.find(({ id }) => id === device)
  return <Waited ms={ms} words={describeStall(known, began)} />
}

/** Asked again as long as someone waits. */
const ALWAYS_NEW = { refetchInterval: 1_000, staleTime: 0, gcTime: 0 }

function Reason({ model, ms }: { model: string; ms: number }) {
  const known = useRead('/models').data?.models.find(({ name }) => name === model)
  const { data } = useRead('/playground-requests', {}, ALWAYS_NEW)
  const request = data?.requests.findLast((one) => one.model === model)
  return <Waited ms={ms} words={describeWait(known, request)} />
}

function Waited({ words, ms }: { words: string; ms: number }) {
  const seconds = Math.floor(ms / 1000)
  return (
    <span className="text-small text-soft" role="status">
      {showOddCharacters(words)}{' '}
      {seconds >= 3 && (
        <span className="tabular-nums text-faint" aria-hidden>
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
