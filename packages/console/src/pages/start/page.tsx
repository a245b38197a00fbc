import { useQuery } from '@tanstack/react-query'
import type { Shapes } from '../../api/client.ts'
import { devices as devicesQuery } from '../../api/queries/devices.ts'
import { models as modelsQuery } from '../../api/queries/models.ts'
import { overview as overviewQuery } from '../../api/queries/organization.ts'
import { Code } from '../../parts/code/copy-button.tsx'
import { Page, Section } from '../../parts/frame/page.tsx'
import { Snippets } from '../../parts/code/snippets.tsx'
import { starterOf, StarterNote } from '../../parts/model/starter-note.tsx'
import { Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { useExampleModel } from '../../session/example-model.ts'
import { useSession } from '../../session/session.ts'
import { DeviceStrip } from './device-strip.tsx'
import { LastDay } from './last-day.tsx'
import { LastErrors } from './last-errors.tsx'
import { NextSteps } from './next-steps.tsx'
import { Next } from './next.tsx'
import { judgeReadiness } from './readiness.ts'
import { Status } from './status.tsx'
import './start.css'

const PLAIN = 'Apps built for the OpenAI API work with this base URL and one of your API keys.'
const SEALED =
  'Your organization takes only sealed requests. Run hearth-seal proxy on your computer (see Settings), then apps built for the OpenAI API work with this base URL and one of your API keys.'

export function StartPage() {
  const { organization } = useSession()
  const overview = useQuery(overviewQuery(organization.id))
  return (
    <Page title="Home" about="A chat completions API that runs on your own devices.">
      <Loaded query={overview} waiting={<Waiting lines={14} />}>
        {(data) => (
          <>
            {data.missing.length > 0 ? <NextSteps overview={data} /> : <Running overview={data} />}
            {data.missing.length > 0 && <Starter />}
            <Calls overview={data} />
          </>
        )}
      </Loaded>
    </Page>
  )
}

/** Once everything is set up: whether it works, and what happened lately. */
function Running({ overview }: { overview: Shapes['Overview'] }) {
  const { organization } = useSession()
  const models = useQuery(modelsQuery(organization.id))
  const devices = useQuery(devicesQuery(organization.id))
  return (
    <Loaded query={models} waiting={<Waiting lines={8} />}>
      {(allModels) => (
        <Loaded query={devices} waiting={<Waiting lines={8} />}>
          {(allDevices) => (
            <>
              <Status readiness={judgeReadiness(allModels, allDevices)} />
              <Starter />
              <DeviceStrip devices={allDevices} />
              <div className="start-grid">
                <LastDay />
                <div className="stack">
                  <LastErrors />
                  <Next overview={overview} devices={allDevices} />
                </div>
              </div>
            </>
          )}
        </Loaded>
      )}
    </Loaded>
  )
}

function Starter() {
  const { organization, isAdmin } = useSession()
  const starter = starterOf(useQuery(modelsQuery(organization.id)).data ?? [])
  return starter === undefined ? null : <StarterNote model={starter} isAdmin={isAdmin} />
}

function Calls({ overview: { baseUrl, isSealed } }: { overview: Shapes['Overview'] }) {
  const model = useExampleModel()
  return (
    <Section title="Use the API" about={isSealed ? SEALED : PLAIN}>
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
