import { Search } from 'lucide-react'
import { SEARCH_KEYS } from './search-keys.ts'

export function SearchButton({ onClick }: { onClick: () => void }) {
  return (
    <button type="button" className="search-button" aria-keyshortcuts="Meta+K Control+K" onClick={onClick}>
      <Search size={16} aria-hidden />
      <span>Search</span>
      <span className="search-keys" aria-hidden>
        {SEARCH_KEYS.map((key) => (
          <kbd key={key}>{key}</kbd>
        ))}
      </span>
    </button>
  )
}
