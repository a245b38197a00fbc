import { queryOptions, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { sendTo } from '../../../api/client.ts'
import { useExampleModel } from '../../../session/example-model.ts'
import { useSession } from '../../../session/session.ts'
import { useRead } from '../../../session/use-read.ts'
import type { HelpDocument } from '../content.ts'
import type { Description } from './description.ts'
import { writeApi } from './write-api.ts'

/** Descriptions only change when the gateway is updated. */
function describedApi(source: string) {
  return queryOptions({
    queryKey: ['description', source],
    queryFn: async () => sendTo<Description>(source),
    staleTime: Infinity,
  })
}

const PUBLIC = '/openapi.json'
const CONSOLE = '/api/openapi.json'

/** The pages about the APIs of this gateway, with examples that run as they are. None until the descriptions are here. */
export function useApiPages(): { pages: readonly HelpDocument[]; problem: Error | null } {
  const { id: organization } = useSession().organization
  const model = useExampleModel()
  const overview = useRead('/overview')
  const forApps = useQuery(describedApi(PUBLIC))
  const forConsole = useQuery(describedApi(CONSOLE))
  const pages = useMemo(() => {
    if (!overview.data || !forApps.data || !forConsole.data) return []
    const { baseUrl, gatewayUrl } = overview.data
    const known = { organization, model }
    const consoleUrl = `${gatewayUrl}${forConsole.data.servers?.[0]?.url ?? ''}`
    return [
      ...writeApi(forApps.data, { name: 'public', source: PUBLIC, baseUrl, known }),
      ...writeApi(forConsole.data, { name: 'console', source: CONSOLE, baseUrl: consoleUrl, known }),
    ]
  }, [overview.data, forApps.data, forConsole.data, organization, model])
  return { pages, problem: overview.error ?? forApps.error ?? forConsole.error }
}
