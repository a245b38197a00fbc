import { Name } from '../../../parts/text/name.tsx'
import type { TokenLogprob } from '../request/read-stream.ts'

export interface Place {
  index: number
  left: number
  top: number
}

/** The probability of a token and of its alternatives. */
export function TokenCard({ token, place }: { token: TokenLogprob; place: Place }) {
  const others = token.top_logprobs.filter((other) => other.token !== token.token)
  return (
    <div
      className="token-card card"
      role="status"
      style={{ left: `min(${place.left}px, 100% - 14rem)`, top: place.top }}
    >
      <Likelihood token={token.token} logprob={token.logprob} isChosen />
      {others.map((other, index) => (
        <Likelihood key={index} token={other.token} logprob={other.logprob} />
      ))}
      {token.top_logprobs.length === 0 && <p className="small faint">No alternatives requested.</p>}
    </div>
  )
}

function Likelihood({ token, logprob, isChosen = false }: { token: string; logprob: number; isChosen?: boolean }) {
  return (
    <p className={`token-line ${isChosen ? 'token-chosen' : ''}`}>
      <code>
        <Name text={JSON.stringify(token)} />
      </code>
      <span className="numbers" title={`logprob ${logprob}`}>
        {formatLikelihood(logprob)}
      </span>
    </p>
  )
}

function formatLikelihood(logprob: number): string {
  const percent = Math.exp(logprob) * 100
  if (percent < 0.01) return '< 0.01%'
  return `${percent.toFixed(percent < 1 ? 2 : 1)}%`
}
