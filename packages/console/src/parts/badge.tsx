import type { ReactNode } from 'react'
import './badge.css'

export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'calm'

/** A word about a thing. The word says everything: the colour only helps. */
export function Badge({ tone = 'calm', children }: { tone?: Tone; children: ReactNode }) {
  return <span className={`badge badge-${tone}`}>{children}</span>
}

/** A state as a dot and a word. */
export function State({ tone, children }: { tone: Tone; children: ReactNode }) {
  return (
    <span className={`state state-${tone}`}>
      <span className="state-dot" aria-hidden />
      {children}
    </span>
  )
}
