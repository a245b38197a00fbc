import { useQuery } from '@tanstack/react-query'
import { recentRequest } from '../../../api/queries/requests.ts'
import { plural } from '../../../lib/format.ts'
import { Name } from '../../../parts/text/name.tsx'
import { useSession } from '../../../session/session.ts'

/** Says so if another device continued the response. The headers come before the text, so only the list of requests knows. */
export function TakeOver({ model, request }: { model: string; request: string }) {
  const { organization } = useSession()
  const { data } = useQuery(recentRequest(organization.id, model, request))
  if (!data?.device || data.attempts < 2) return null
  return (
    <p className="small soft">
      Continued on <Name text={data.device.name} /> ({plural(data.attempts, 'attempt')})
    </p>
  )
}
