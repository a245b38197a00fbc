import { Link } from '@tanstack/react-router'
import { Check, ChevronRight, PartyPopper, TriangleAlert } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Shapes } from '../../api/client.ts'
import { useSession } from '../../session/session.ts'

type Missing = Shapes['Overview']['missing'][number]

interface Step {
  missing: Missing
  title: string
  about: string
  /** The page whose dialog completes this step. */
  to: '/devices' | '/models' | '/keys'
  action: string
  isForAdmins: boolean
}

const STEPS: readonly Step[] = [
  {
    missing: 'device',
    title: 'Connect a device',
    about: 'A laptop, desktop or server that runs the models. It connects out, so it needs no open port and no VPN.',
    to: '/devices',
    action: 'Add a device',
    isForAdmins: true,
  },
  {
    missing: 'model',
    title: 'Enable a model',
    about: 'Devices bring models. You decide which of them your API serves.',
    to: '/models',
    action: 'Enable a model',
    isForAdmins: true,
  },
  {
    missing: 'key',
    title: 'Create an API key',
    about: 'Apps authenticate with it. Use one key per app to see their usage separately.',
    to: '/keys',
    action: 'Create a key',
    isForAdmins: false,
  },
]

/** The steps before the first request works. Once they are done, whether requests work right now. */
export function NextSteps({ overview }: { overview: Shapes['Overview'] }) {
  const { isAdmin } = useSession()
  const { missing } = overview
  if (missing.length === 0) return overview.models.served > 0 ? <Ready /> : <NotServing overview={overview} />
  return (
    <section className="card steps" aria-label="Next steps">
      <header>
        <h2>{missing.length === STEPS.length ? 'Three steps to your first request' : 'Almost there'}</h2>
        <p className="soft numbers">
          {STEPS.length - missing.length} of {STEPS.length} done
        </p>
      </header>
      <ol>
        {STEPS.map((step) => {
          const isDone = !missing.includes(step.missing)
          const isNext = missing[0] === step.missing
          return (
            <StepLine key={step.title} step={step} isDone={isDone}>
              {isDone ? undefined : isAdmin || !step.isForAdmins ? (
                <Link to={step.to} search={{ dialog: 'add' }} className={`button ${isNext ? 'button-primary' : ''}`}>
                  {step.action}
                  <ChevronRight size={16} aria-hidden />
                </Link>
              ) : (
                <span className="soft small">Ask an admin to do this</span>
              )}
            </StepLine>
          )
        })}
      </ol>
    </section>
  )
}

function StepLine({ step, isDone, children }: { step: Step; isDone: boolean; children: ReactNode }) {
  return (
    <li className={isDone ? 'step step-done' : 'step'}>
      <span className="step-mark">
        {isDone ? <Check size={16} aria-label="Done" /> : <span aria-hidden>{STEPS.indexOf(step) + 1}</span>}
      </span>
      <span>
        <h3>{step.title}</h3>
        <p className="soft">{step.about}</p>
      </span>
      {children}
    </li>
  )
}

function Ready() {
  return (
    <section className="card ready" aria-label="Next steps">
      <PartyPopper size={20} aria-hidden />
      <p>
        <strong>Ready for requests.</strong> <span className="soft">Devices, models and keys are in place.</span>
      </p>
      <Link to="/playground" className="button button-primary">
        Try it in the playground
      </Link>
    </section>
  )
}

function NotServing({ overview: { devices } }: { overview: Shapes['Overview'] }) {
  return (
    <section className="card ready" aria-label="Next steps">
      <TriangleAlert size={20} aria-hidden />
      <p>
        <strong>{devices.linked === 0 ? 'No device is online.' : 'No device serves an enabled model.'}</strong>{' '}
        <span className="soft">Requests wait until one {devices.linked === 0 ? 'is' : 'does'}.</span>
      </p>
      <Link to={devices.linked === 0 ? '/devices' : '/models'} className="button button-primary">
        {devices.linked === 0 ? 'Go to Devices' : 'Go to Models'}
      </Link>
    </section>
  )
}
