import { useQuery } from '@tanstack/react-query'
import { models as modelsQuery, overview as overviewQuery } from '../../api/queries.ts'
import { plainModelName } from '../../lib/snippets.ts'
import { Code } from '../../parts/copy-button.tsx'
import { Page, Section } from '../../parts/page.tsx'
import { Snippets } from '../../parts/snippets.tsx'
import { Loaded, Waiting } from '../../parts/states.tsx'
import { useSession } from '../../session/session.ts'
import { NextSteps } from './next-steps.tsx'
import { Numbers } from './numbers.tsx'
import './start.css'

export function StartPage() {
  const { organization } = useSession()
  const overview = useQuery(overviewQuery(organization.id))
  return (
    <Page title="Home" about="A chat completions API that runs on your own devices.">
      <Loaded query={overview} waiting={<Waiting lines={14} />}>
        {(data) => (
          <>
            <NextSteps overview={data} />
            {data.devices.total + data.models.enabled > 0 && <Numbers overview={data} />}
            <Calls baseUrl={data.baseUrl} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

function Calls({ baseUrl }: { baseUrl: string }) {
  const { organization } = useSession()
  const models = useQuery(modelsQuery(organization.id))
  const enabled = (models.data ?? []).filter(({ state }) => state === 'enabled')
  const served = enabled.filter(({ devices }) => devices.length > 0)
  const model = plainModelName([...served, ...enabled].map(({ name }) => name))
  return (
    <Section
      title="Use the API"
      about="Apps built for the OpenAI API work with this base URL and one of your API keys."
    >
      <div className="card card-body stack">
        <div className="stack-small">
          <h3>Base URL</h3>
          <Code text={baseUrl} label="Base URL" />
        </div>
        <Snippets baseUrl={baseUrl} model={model} />
      </div>
    </Section>
  )
}
