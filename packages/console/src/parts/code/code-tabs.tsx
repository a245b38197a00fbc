import { makeSnippets } from '../../lib/snippets.ts'
import { Code } from './copy-button.tsx'
import { Tabs } from '../control/tabs.tsx'

/** How to call this gateway from common languages and tools. `model` must not need quoting. */
export function Snippets({ baseUrl, model }: { baseUrl: string; model: string }) {
  return (
    <Tabs
      label="Languages and tools"
      tabs={makeSnippets({ baseUrl, model }).map(({ name, text, about }) => ({
        name,
        content: (
          <div className="stack-small">
            {about !== undefined && <p className="soft small">{about}</p>}
            <Code text={text} label={`${name} example`} />
          </div>
        ),
      }))}
    />
  )
}
