import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'

interface TabsProps {
  label: string
  tabs: readonly { name: string; content: ReactNode }[]
}

/** Opens on the first tab. Arrow keys move between tabs. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Radix.Root className="grid gap-7.5 min-w-0" defaultValue={tabs[0]?.name ?? ''}>
      <Radix.List className="flex flex-wrap gap-2.5 border-b border-line" aria-label={label}>
        {tabs.map(({ name }) => (
          <Radix.Trigger
            key={name}
            value={name}
            className="-mb-px whitespace-nowrap text-soft border-b-2 border-transparent rounded-t-small px-7 py-4.5 hover:text-ink focus-visible:-outline-offset-2 data-[state=active]:text-ink data-[state=active]:font-medium data-[state=active]:border-b-ink"
          >
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }) => (
        <Radix.Content key={name} value={name} className="min-w-0 focus-visible:outline-offset-4">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
