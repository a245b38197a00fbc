import type { Citation } from '../request/answer.ts'
import { OutsideLink } from '../markdown/outside-link.tsx'

/** The sources that the response cites. */
export function Citations({ citations }: { citations: readonly Citation[] }) {
  if (citations.length === 0) return null
  return (
    <section className="citations" aria-label="Sources">
      <h3 className="small soft">Sources</h3>
      <ol>
        {citations.map(({ url, title }, index) => (
          <li key={index}>
            <OutsideLink address={url}>{title || url}</OutsideLink>
            <span className="small faint model-text">{url}</span>
          </li>
        ))}
      </ol>
    </section>
  )
}
