import type { ReactNode } from 'react'

/** accent: worth a look, but neither good nor bad. */
export type Tone = 'good' | 'warn' | 'bad' | 'accent' | 'calm'

const BADGES = {
  good: 'text-good bg-good-soft border-transparent',
  warn: 'text-warn bg-warn-soft border-transparent',
  bad: 'text-bad bg-bad-soft border-transparent',
  accent: 'text-info bg-info-soft border-transparent',
  calm: 'text-soft bg-sunken border-line',
}

/** A short label. The text carries the meaning; the color only supports it. */
export function Badge({ tone = 'calm', children }: { tone?: Tone; children: ReactNode }) {
  return (
    <span
      className={`inline-flex items-center px-5 text-tiny font-medium leading-[1.6] whitespace-nowrap border rounded-full ${BADGES[tone]}`}
    >
      {children}
    </span>
  )
}

const DOTS = {
  good: 'bg-good-mark ring-3 ring-good-mark/18',
  warn: 'bg-warn-mark',
  bad: 'bg-bad-solid',
  accent: 'bg-info-mark',
  calm: 'bg-calm-mark',
}

/** A status as a dot and a word. */
export function State({ tone, word }: { tone: Tone; word: string }) {
  return (
    <span className="state inline-flex items-center gap-5 whitespace-nowrap">
      <span className={`flex-none size-5 rounded-full ${DOTS[tone]}`} aria-hidden />
      {word}
    </span>
  )
}
