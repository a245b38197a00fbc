import { useQuery } from '@tanstack/react-query'
import { organizationApi } from '../../../api/organization-api.ts'
import { TakeOver } from '../../../parts/model/take-over.tsx'
import { useSession } from '../../../session/session.ts'

const LATEST = 8
const POLL_MS = 1_000
const MOST_POLLS = 8

/** Says so if another device continued the response. The headers come before the text, so only the list of requests knows. */
export function TakeOverNote({ model, request }: { model: string; request: string }) {
  const { me, organization } = useSession()
  const { data } = useQuery({
    queryKey: [organization.id, 'recent-request', request],
    queryFn: async ({ signal }) => {
      const query = { model, key: `playground-${me.person.id}`, limit: LATEST }
      const { requests } = await organizationApi(organization.id, signal).get('/requests', { query })
      return requests.find(({ id }) => id === request) ?? null
    },
    // The gateway lists a request seconds after it ends, so the first looks may find nothing.
    enabled: ({ state }) => !state.data && state.dataUpdateCount < MOST_POLLS,
    // Less and less often: nearly all are listed within seconds, and nobody minds if a few are not found.
    refetchInterval: ({ state }) => POLL_MS * 2 ** state.dataUpdateCount,
  })
  if (!data?.device || !data.takeOver) return null
  return (
    <p className="text-small text-soft" role="status">
      <TakeOver device={data.device.name} takeOver={data.takeOver} />
    </p>
  )
}
