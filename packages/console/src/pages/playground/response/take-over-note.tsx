import { useQuery } from '@tanstack/react-query'
import { recentRequest } from '../../../api/queries/requests.ts'
import { TakeOver } from '../../../parts/model/take-over.tsx'
import { useSession } from '../../../session/session.ts'

/** Says so if another device continued the response. The headers come before the text, so only the list of requests knows. */
export function TakeOverNote({ model, request }: { model: string; request: string }) {
  const { organization, me } = useSession()
  const { data } = useQuery(recentRequest(organization.id, { model, key: `playground-${me.person.id}` }, request))
  if (!data?.device || !data.takeOver) return null
  return (
    <p className="small soft" role="status">
      <TakeOver device={data.device.name} takeOver={data.takeOver} />
    </p>
  )
}
