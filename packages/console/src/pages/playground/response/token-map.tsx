// The tokens of a response, colored by probability. Tab focuses the whole map; arrow keys move between tokens.

import { memo, useState, type KeyboardEvent, type MouseEvent } from 'react'
import type { TokenLogprob } from '../request/read-stream.ts'
import { Name } from '../../../parts/text/name.tsx'

interface TokenMapProps {
  tokens: readonly TokenLogprob[]
  count: number
}

export function TokenMap({ tokens, count }: TokenMapProps) {
  const { position, look, move, leave } = useFocusedToken(count)
  const token = position && tokens[position.index]
  return (
    <div className="relative grid gap-7.5 min-w-0" onMouseLeave={leave}>
      <div
        className="model-text leading-[1.75] rounded-small"
        dir="auto"
        tabIndex={0}
        role="application"
        aria-roledescription="tokens"
        aria-label="Tokens by probability. Use the arrow keys to move between tokens"
        onPointerOver={look}
        onKeyDown={move}
        onBlur={leave}
      >
        {splitLines(tokens, count).map(([from, to]) => (
          <TokenLine key={from} tokens={tokens} from={from} to={to} />
        ))}
      </div>
      {position && token && <TokenCard token={token} position={position} />}
      <ul className="text-small text-soft flex flex-wrap gap-x-10 gap-y-2.5" aria-label="Probability">
        {['90% or more', '60%', '30%', '10%', 'less'].map((label, shade) => (
          <li className="flex items-center gap-4" key={label}>
            <span className={`${TOKEN} w-12 h-8 ${SHADES[shade]}`} aria-hidden>
              {'  '}
            </span>
            {label}
          </li>
        ))}
      </ul>
    </div>
  )
}

/** The token under the pointer, or the one that the arrow keys moved to. */
function useFocusedToken(count: number) {
  const [position, setPosition] = useState<Position>()
  return {
    position,
    leave: () => setPosition(undefined),
    look: (event: MouseEvent) => {
      if (event.target instanceof HTMLElement && event.target.dataset['index']) setPosition(positionOf(event.target))
    },
    move: (event: KeyboardEvent<HTMLElement>) => {
      if (event.key === 'Escape') setPosition(undefined)
      const index = nextIndex(event.key, position?.index ?? -1, count)
      if (index === undefined) return
      const token = event.currentTarget.querySelector<HTMLElement>(`[data-index="${index}"]`)
      if (!token) return
      event.preventDefault()
      token.scrollIntoView({ block: 'nearest' })
      setPosition(positionOf(token))
    },
  }
}

function nextIndex(key: string, index: number, count: number): number | undefined {
  if (key === 'ArrowRight' || key === 'ArrowDown') return Math.min(index + 1, count - 1)
  if (key === 'ArrowLeft' || key === 'ArrowUp') return Math.max(index - 1, 0)
  if (key === 'Home') return 0
  return key === 'End' ? count - 1 : undefined
}

function positionOf(token: HTMLElement): Position {
  const { offsetLeft, offsetTop, offsetHeight } = token
  return { index: Number(token.dataset['index']), left: offsetLeft, top: offsetTop + offsetHeight }
}

/** The first and last token of each line. Complete lines never change, so only the last one renders again. */
function splitLines(tokens: readonly TokenLogprob[], count: number): [from: number, to: number][] {
  const lines: [number, number][] = []
  let from = 0
  for (let index = 0; index < count; index += 1) {
    const hasBreak = tokens[index]?.token.includes('\n') ?? false
    if (index < count - 1 && !hasBreak) continue
    lines.push([from, index + 1])
    from = index + 1
  }
  return lines
}

const TokenLine = memo(function TokenLine({
  tokens,
  from,
  to,
}: {
  tokens: readonly TokenLogprob[]
  from: number
  to: number
}) {
  return (
    <div>
      {tokens.slice(from, to).map(({ token, logprob }, index) => (
        <span key={index} data-index={from + index} className={`${TOKEN} py-[0.1em] ${SHADES[shadeOf(logprob)]}`}>
          {token}
        </span>
      ))}
    </div>
  )
})

const BOUNDS = [0.9, 0.6, 0.3, 0.1]

const TOKEN = 'token rounded-[3px] box-decoration-clone hover:outline hover:outline-ink'
const SHADES = [
  'bg-[light-dark(#dff3e4,#16351f)]',
  'bg-[light-dark(#f0f4c9,#333a12)]',
  'bg-[light-dark(#fdeab4,#4a3a0c)]',
  'bg-[light-dark(#fdd3b0,#5a2f10)]',
  'bg-[light-dark(#fac0bc,#66211c)]',
]

/** From 0 (almost certain) to 4 (unlikely). */
function shadeOf(logprob: number): number {
  const likelihood = Math.exp(logprob)
  const shade = BOUNDS.findIndex((bound) => likelihood >= bound)
  return shade === -1 ? BOUNDS.length : shade
}

interface Position {
  index: number
  left: number
  top: number
}

/** The probability of a token and of its alternatives. */
function TokenCard({ token, position }: { token: TokenLogprob; position: Position }) {
  const others = token.top_logprobs.filter((other) => other.token !== token.token)
  return (
    <div
      className="token-card card absolute z-6 grid gap-2 w-140 max-h-180 overflow-hidden text-small bg-raised shadow-large pointer-events-none px-7 py-5"
      role="status"
      style={{ left: `min(${position.left}px, 100% - 14rem)`, top: position.top }}
    >
      <Likelihood token={token.token} logprob={token.logprob} isChosen />
      {others.map((other, index) => (
        <Likelihood key={index} token={other.token} logprob={other.logprob} />
      ))}
      {token.top_logprobs.length === 0 && <p className="text-small text-faint">No alternatives requested.</p>}
    </div>
  )
}

function Likelihood({ token, logprob, isChosen = false }: { token: string; logprob: number; isChosen?: boolean }) {
  return (
    <p
      className={`flex justify-between gap-7.5 [&>code]:truncate [&>code]:min-w-0 ${isChosen ? 'font-strong text-ink' : 'text-soft'}`}
    >
      <code>
        <Name text={JSON.stringify(token)} />
      </code>
      <span className="tabular-nums" title={`logprob ${logprob}`}>
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
