import { queryOptions, useQuery } from '@tanstack/react-query'
import { useEffect } from 'react'
import { overview as overviewQuery } from '../../api/queries.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { FilterBar, Segments } from '../../parts/filter-bar.tsx'
import { Page } from '../../parts/page.tsx'
import { Loaded, Waiting } from '../../parts/states.tsx'
import { useSession } from '../../shell/session.ts'
import type { Description } from './description.ts'
import { Reference } from './reference.tsx'

type ApiName = 'public' | 'console'

const ADDRESSES: Record<ApiName, string> = { public: '/openapi.json', console: '/api/openapi.json' }

/** The # of an operation begins with the name of its API. */
function readName(state: string | undefined): ApiName {
  if (state === undefined && window.location.hash.startsWith('#console-')) return 'console'
  return state === 'console' ? 'console' : 'public'
}

/** Descriptions change with the gateway only. */
function describedApi(name: ApiName) {
  return queryOptions({
    queryKey: ['description', name],
    queryFn: async ({ signal }) => {
      const response = await fetch(ADDRESSES[name], { signal })
      if (!response.ok) throw new Error(`The gateway has no description of this API (status ${response.status})`)
      return (await response.json()) as Description
    },
    staleTime: Infinity,
  })
}

export function ReferencePage() {
  const { organization } = useSession()
  const search = useListSearch()
  const name = readName(search.state)
  const description = useQuery(describedApi(name))
  const overview = useQuery(overviewQuery(organization.id))
  useAddressedOperation(overview.data && description.data)
  return (
    <Page title="API reference" about="Everything programs can ask of this gateway. It works without the internet.">
      <FilterBar label="Search operations, fields and errors" value={search.filter} onChange={search.setFilter}>
        <Segments
          label="API"
          value={name}
          onChange={search.setState}
          choices={[
            { value: 'public', label: 'Models and chat' },
            { value: 'console', label: 'Console' },
          ]}
        />
      </FilterBar>
      <Loaded query={overview} waiting={<Waiting lines={14} />}>
        {({ baseUrl, gatewayUrl }) => (
          <Loaded query={description} waiting={<Waiting lines={14} />}>
            {(data) => (
              <Reference
                key={name}
                name={name}
                description={data}
                source={ADDRESSES[name]}
                baseUrl={name === 'public' ? baseUrl : `${gatewayUrl}${data.servers?.[0]?.url ?? ''}`}
                filter={search.slowFilter}
              />
            )}
          </Loaded>
        )}
      </Loaded>
    </Page>
  )
}

/** An address may name an operation behind its #. */
function useAddressedOperation(description: Description | undefined): void {
  useEffect(() => {
    const id = window.location.hash.slice(1)
    if (description && id !== '') document.getElementById(id)?.scrollIntoView()
  }, [description])
}
