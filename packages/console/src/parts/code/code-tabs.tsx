import { Code } from './copy-button.tsx'
import { Tabs } from '../control/tabs.tsx'

interface CodeTabsProps {
  label: string
  /** What each of them is, for screen readers: "example" makes "curl example". */
  kind: string
  examples: readonly { name: string; text: string; about?: string }[]
}

/** The same for several languages and tools. */
export function CodeTabs({ label, kind, examples }: CodeTabsProps) {
  const tabs = examples.map(({ name, text, about }) => ({
    name,
    content: (
      <div className="stack-small">
        {about !== undefined && <p className="text-soft text-small">{about}</p>}
        <Code text={text} label={`${name} ${kind}`} />
      </div>
    ),
  }))
  return <Tabs label={label} tabs={tabs} />
}
