import { Link } from '@tanstack/react-router'
import { CircleCheck, TriangleAlert } from 'lucide-react'
import { plural } from '../../lib/format.ts'
import { Name } from '../../parts/text/name.tsx'
import type { Readiness } from './readiness.ts'

interface Problem {
  title: string
  about: string
  to: '/devices' | '/models'
  action: string
}

const PROBLEMS: Record<Exclude<Readiness['kind'], 'ready'>, Problem> = {
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
}

/** Whether a request would be answered now. */
export function Status({ readiness }: { readiness: Readiness }) {
  return readiness.kind === 'ready' ? <Ready {...readiness} /> : <NotReady problem={PROBLEMS[readiness.kind]} />
}

function Ready({ models: [first = '', ...others], devices }: Extract<Readiness, { kind: 'ready' }>) {
  return (
    <section className="card status status-ready" aria-label="Status">
      <CircleCheck size={22} aria-hidden />
      <p>
        <strong>Ready for requests.</strong>{' '}
        <span className="soft">
          <Name text={first} />
          {others.length > 0 && ` and ${plural(others.length, 'other model')}`}{' '}
          {others.length > 0 ? 'answer' : 'answers'} on {plural(devices, 'device')}.
        </span>
      </p>
      <Link to="/playground" className="button button-primary">
        Try it in the playground
      </Link>
    </section>
  )
}

function NotReady({ problem: { title, about, to, action } }: { problem: Problem }) {
  return (
    <section className="card status status-waiting" aria-label="Status">
      <TriangleAlert size={22} aria-hidden />
      <p>
        <strong>{title}</strong> <span className="soft">{about}</span>
      </p>
      <Link to={to} className="button button-primary">
        {action}
      </Link>
    </section>
  )
}
