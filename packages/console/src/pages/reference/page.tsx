import { queryOptions, useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useEffect, useMemo, useState } from 'react'
import { overview as overviewQuery } from '../../api/queries/organization.ts'
import { useExampleModel } from '../../session/example-model.ts'
import { useListSearch } from '../../lib/list-search.ts'
import { filterRows } from '../../lib/order-rows.ts'
import { FilterBar, Segments } from '../../parts/control/filter-bar.tsx'
import { Page } from '../../parts/frame/page.tsx'
import { Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { listOperations, wordsOf, type Description, type Operation } from './description.ts'
import { Reference } from './reference.tsx'

type ApiName = 'public' | 'console'

const ADDRESSES: Record<ApiName, string> = { public: '/openapi.json', console: '/api/openapi.json' }

/** Descriptions only change when the gateway is updated. */
function describedApi(name: ApiName) {
  return queryOptions({
    queryKey: ['description', name],
    queryFn: async ({ signal }) => {
      const response = await fetch(ADDRESSES[name], { signal })
      if (!response.ok)
        throw new Error(`The gateway has no OpenAPI description of this API (status ${response.status}).`)
      return (await response.json()) as Description
    },
    staleTime: Infinity,
  })
}

export function ReferencePage() {
  const search = useListSearch()
  const [addressed] = useState(readAddress)
  const name: ApiName = (search.state ?? addressed) === 'console' ? 'console' : 'public'
  const apis = { public: useApi('public', search.slowFilter), console: useApi('console', search.slowFilter) }
  const count = (api: ApiName) => (search.slowFilter === '' ? {} : { count: apis[api].operations.length })
  return (
    <Page title="API reference" about={<Link to="/help">All help pages</Link>}>
      <FilterBar label="Search operations, fields and errors" value={search.filter} onChange={search.setFilter}>
        <Segments
          label="API"
          value={name}
          onChange={search.setState}
          choices={[
            { value: 'public', label: 'Public API', ...count('public') },
            { value: 'console', label: 'Console API', ...count('console') },
          ]}
        />
      </FilterBar>
      <ChosenApi key={name} name={name} isFiltered={search.slowFilter !== ''} {...apis[name]} />
    </Page>
  )
}

/** An API, and its operations that contain every word of the filter. */
function useApi(name: ApiName, filter: string) {
  const description = useQuery(describedApi(name))
  return { description, operations: useFound(description.data, filter) }
}

interface ChosenApiProps extends ReturnType<typeof useApi> {
  name: ApiName
  isFiltered: boolean
}

function ChosenApi({ name, description: query, operations, isFiltered }: ChosenApiProps) {
  const { organization } = useSession()
  const overview = useRead(overviewQuery)
  const model = useExampleModel()
  useAddressedOperation(overview.data && query.data)
  return (
    <Loaded query={overview} waiting={<Waiting lines={14} />}>
      {({ baseUrl, gatewayUrl }) => (
        <Loaded query={query} waiting={<Waiting lines={14} />}>
          {(description) => (
            <Reference
              {...{ name, description, operations, isFiltered }}
              source={ADDRESSES[name]}
              baseUrl={name === 'public' ? baseUrl : `${gatewayUrl}${description.servers?.[0]?.url ?? ''}`}
              known={{ organization: organization.id, model }}
            />
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

function useFound(description: Description | undefined, filter: string): Operation[] {
  const operations = useMemo(
    () =>
      description
        ? listOperations(description).map((operation) => ({ operation, words: wordsOf(description, operation) }))
        : [],
    [description],
  )
  return filterRows(operations, filter, ({ words }) => words).map(({ operation }) => operation)
}

/** The anchor of an operation starts with the name of its API. */
function readAddress(): string | undefined {
  return window.location.hash.slice(1).split('-', 1)[0]
}

/** Scrolls to the operation that the URL points to. */
function useAddressedOperation(description: Description | undefined): void {
  useEffect(() => {
    const id = window.location.hash.slice(1)
    if (description && id !== '') document.getElementById(id)?.scrollIntoView()
  }, [description])
}
