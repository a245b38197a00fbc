import type { Schemas } from '../../api/client.ts'
import { Code } from '../../parts/code/copy-button.tsx'
import { Page, Section } from '../../parts/frame/page.tsx'
import { CodeTabs } from '../../parts/code/code-tabs.tsx'
import { makeSnippets } from '../../lib/snippets.ts'
import { starterOf, StarterNote } from '../../parts/model/starter-note.tsx'
import { Loaded, Skeleton } from '../../parts/feedback/states.tsx'
import { useExampleModel } from '../../session/example-model.ts'
import { useSession } from '../../session/session.ts'
import { useRead } from '../../session/use-read.ts'
import { DeviceStrip } from './device-strip.tsx'
import { LastDay } from './last-day.tsx'
import { NextSteps } from './next-steps.tsx'
import { Next } from './next.tsx'
import { judgeReadiness, type Readiness } from './readiness.ts'
import { Link } from '@tanstack/react-router'
import { Badge } from '../../parts/text/badge.tsx'
import { SealedMark } from '../../parts/model/sealed-mark.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { plural } from '../../lib/format.ts'

const PLAIN = 'Apps built for the OpenAI API work with this base URL and one of your API keys.'
const SEALED =
  'Your organization takes only sealed requests. Run hearth-seal proxy on your computer (see Settings), then apps built for the OpenAI API work with this base URL and one of your API keys.'

export function StartPage() {
  const overview = useRead('/overview')
  return (
    <Page title="Home" about="A chat completions API that runs on your own devices.">
      <Loaded query={overview} loading={<Skeleton lines={14} />}>
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
function Running({ overview }: { overview: Schemas['Overview'] }) {
  const models = useRead('/models')
  const devices = useRead('/devices')
  return (
    <Loaded query={models} loading={<Skeleton lines={8} />}>
      {({ models: allModels }) => (
        <Loaded query={devices} loading={<Skeleton lines={8} />}>
          {({ devices: allDevices }) => (
            <>
              <Status readiness={judgeReadiness(allModels, allDevices)} />
              <Starter />
              <DeviceStrip devices={allDevices} />
              <div className="grid grid-cols-[minmax(0,2fr)_minmax(18rem,1fr)] gap-10 items-start max-[72rem]:grid-cols-1">
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
  const { isAdmin } = useSession()
  const starter = starterOf(useRead('/models').data?.models ?? [])
  return starter === undefined ? null : <StarterNote model={starter} isAdmin={isAdmin} />
}

function Calls({ overview: { baseUrl, isSealed } }: { overview: Schemas['Overview'] }) {
  const model = useExampleModel()
  return (
    <Section title="Use the API" about={isSealed ? SEALED : PLAIN}>
      <div className="card card-body stack">
        <div className="stack-small">
          <h3>Base URL</h3>
          <Code text={baseUrl} label="Base URL" />
        </div>
        <CodeTabs label="Languages and tools" kind="example" examples={makeSnippets({ baseUrl, model })} />
      </div>
    </Section>
  )
}

const LATEST = 5

/** The latest requests that failed, newest first. */
function LastErrors() {
  const query = useRead('/requests', { query: { result: 'failed', limit: LATEST } })
  return (
    <section className="card pt-12.5 pb-5 [&>.waiting]:border-0 [&>.waiting]:shadow-none" aria-labelledby="last-errors">
      <header className="flex items-baseline justify-between gap-10 px-12.5 pb-5">
        <h2 id="last-errors">Last errors</h2>
        <Link to="/usage" className="text-small text-soft">
          All requests
        </Link>
      </header>
      <Loaded query={query} loading={<Skeleton lines={4} />}>
        {({ requests: failed }) =>
          failed.length === 0 ? (
            <p className="pt-5 px-12.5 pb-7.5 text-soft">None of the latest requests failed.</p>
          ) : (
            <ul>
              {failed.map(({ id, at, code, status, model, key, isSealed }) => (
                <li key={id} className="grid grid-cols-[minmax(0,1fr)_auto] gap-x-7.5 gap-y-1 px-12.5 py-5.5">
                  <span className="row">
                    <Badge tone="bad">{String(status)}</Badge>
                    <span className="font-mono text-tiny wrap-anywhere">{code}</span>
                    {isSealed && <SealedMark />}
                  </span>
                  <span className="text-soft text-small">
                    <RelativeTime at={at} />
                  </span>
                  <span className="text-soft text-small col-span-full">
                    <Name text={model === '' ? 'Unknown model' : model} /> · <Name text={key.name} />
                  </span>
                </li>
              ))}
            </ul>
          )
        }
      </Loaded>
    </section>
  )
}

type Ready = Extract<Readiness, { kind: 'ready' }>

const PROBLEMS = {
  'no-device-online': {
    title: 'No device is online.',
    about: 'Requests wait until one connects.',
    to: '/devices',
    action: 'Go to Devices',
  },
  'all-paused': {
    title: 'All online devices are paused.',
    about: 'Requests wait until you resume one.',
    to: '/devices',
    action: 'Go to Devices',
  },
  'not-served': {
    title: 'No device serves an enabled model.',
    about: 'Requests wait until one does.',
    to: '/models',
    action: 'Go to Models',
  },
} as const

/** Whether a request would be answered now. */
function Status({ readiness }: { readiness: Readiness }) {
  const isReady = readiness.kind === 'ready'
  const { title, about, to, action } = isReady ? describeReady(readiness) : PROBLEMS[readiness.kind]
  const Icon = isReady ? CircleCheck : TriangleAlert
  return (
    <section
      className={`card flex flex-wrap items-center gap-9 px-12.5 py-10 ${isReady ? '[&>svg]:text-good-mark' : 'border-transparent [&>svg]:text-warn-mark'}`}
      aria-label="Status"
    >
      <Icon size={22} aria-hidden />
      <p className="flex-[1_1_16rem]">
        <strong>{title}</strong> <span className="text-soft">{about}</span>
      </p>
      <Link to={to} className="button button-primary">
        {action}
      </Link>
    </section>
  )
}

function describeReady({ models: [first = '', ...others], devices }: Ready) {
  const more = others.length > 0 ? ` and ${plural(others.length, 'other model')} answer` : ' answers'
  return {
    title: 'Ready for requests.',
    about: (
      <>
        <Name text={first} />
        {more} on {plural(devices, 'device')}.
      </>
    ),
    to: '/playground',
    action: 'Try it in the playground',
  } as const
}
