import { Link } from '@tanstack/react-router'
import { plural } from '../../lib/format.ts'
import type { HelpDocument } from './content.ts'
import { findHelp, wordsIn } from './search.ts'

interface ResultsProps {
  typed: string
  /** More pages than those of docs/. */
  pages: readonly HelpDocument[]
  onOpen: () => void
}

export function Results({ typed, pages, onOpen }: ResultsProps) {
  const found = findHelp(typed, pages)
  return (
    <div className="card card-body">
      <p className="text-soft" role="status">
        {found.length === 0 ? `Nothing found for “${typed.trim()}”` : plural(found.length, 'section')}
      </p>
      <ol className="entries">
        {found.map(({ page, section, excerpt }) => (
          <li key={`${page.path} ${section.id}`}>
            <Link
              to="/help/$"
              params={{ _splat: page.path }}
              hash={section.level === 1 ? '' : section.id}
              onClick={onOpen}
            >
              <Marked text={section.heading} typed={typed} />
            </Link>
            {section.level > 1 && <span className="text-small text-faint">{page.title}</span>}
            <p className="text-small text-soft">
              <Marked text={excerpt} typed={typed} />
            </p>
          </li>
        ))}
      </ol>
    </div>
  )
}

/** The text with the typed words marked. */
function Marked({ text, typed }: { text: string; typed: string }) {
  const words = wordsIn(typed).map((word) => word.replaceAll(/[^\p{L}\p{N}]/gu, String.raw`\$&`))
  return text
    .split(new RegExp(`(${words.join('|')})`, 'i'))
    .map((part, index) => (index % 2 === 1 ? <mark key={index}>{part}</mark> : part))
}
