import { useState } from 'react'
import { useSession } from '../../../session/session.ts'
import type { RequestFilter } from './request-filters.tsx'
import type { Schemas } from '../../../api/client.ts'
import { formatCount } from '../../../lib/format.ts'
import { showProblem } from '../../../parts/feedback/toasts.tsx'
import { downloadCsv, makeRequestCsv } from '../make-csv.ts'
import { readRequests } from './read-requests.ts'

const EXPORT_PAGE = 1_000

/** Saves all requests that match, not only those on the screen. */
export function useRequestExport(filter: RequestFilter) {
  const { organization } = useSession()
  const [count, setCount] = useState<number>()

  async function run(): Promise<void> {
    const rows: Schemas['Request'][] = []
    let before: number | null = null
    do {
      const { requests, next } = await readRequests(organization.id, filter, before, EXPORT_PAGE)
      rows.push(...requests)
      setCount(rows.length)
      before = next
    } while (before !== null)
    downloadCsv(`requests-${new Date().toISOString().slice(0, 10)}.csv`, makeRequestCsv(rows))
  }

  function save(): void {
    setCount(0)
    run()
      .catch(showProblem)
      .finally(() => setCount(undefined))
  }

  return { save, isSaving: count !== undefined, saved: formatCount(count ?? 0) }
}
