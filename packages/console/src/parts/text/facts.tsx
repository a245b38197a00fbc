import type { ReactNode } from 'react'

/** A list of labels and values. */
export function Facts({ facts }: { facts: readonly (readonly [name: string, value: ReactNode])[] }) {
  return (
    <dl className="divided">
      {facts.map(([name, value]) => (
        <div className="grid grid-cols-[9rem_minmax(0,1fr)] gap-10 py-5" key={name}>
          <dt className="text-soft">{name}</dt>
          <dd>{value}</dd>
        </div>
      ))}
    </dl>
  )
}
