import { Tabs as Radix } from 'radix-ui'
import type { ReactNode } from 'react'
import './tabs.css'

interface TabsProps {
  label: string
  tabs: readonly { name: string; content: ReactNode }[]
}

/** Opens on the first tab. Arrow keys move between tabs. */
export function Tabs({ label, tabs }: TabsProps) {
  return (
    <Radix.Root className="tabs" defaultValue={tabs[0]?.name ?? ''}>
      <Radix.List className="tabs-list" aria-label={label}>
        {tabs.map(({ name }) => (
          <Radix.Trigger key={name} value={name} className="tabs-tab">
            {name}
          </Radix.Trigger>
        ))}
      </Radix.List>
      {tabs.map(({ name, content }) => (
        <Radix.Content key={name} value={name} className="tabs-content">
          {content}
        </Radix.Content>
      ))}
    </Radix.Root>
  )
}
