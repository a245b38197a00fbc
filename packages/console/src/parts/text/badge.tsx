import type { ReactNode } from 'react'
import './badge.css'

/** accent: worth a look, but neither good nor bad. */
export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'calm'

/** A short label. The text carries the meaning; the color only supports it. */
export function Badge({ tone = 'calm', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}

/** A status as a dot and a word. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`state state-${tone}`}>
      <span className="state-dot" aria-hidden />
      {children}
    </span>
  )
}
