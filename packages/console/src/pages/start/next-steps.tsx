import { Link } from '@tanstack/react-router'
import { Check, ChevronRight, PartyPopper } from 'lucide-react'
import type { ReactNode } from 'react'
import type { Shapes } from '../../api/client.ts'
import { useSession } from '../../session/session.ts'

type Missing = Shapes['Overview']['missing'][number]

interface Step {
  missing: Missing
  title: string
  about: string
  /** Where it is done, with the dialog for it open. */
  to: '/devices' | '/models' | '/keys'
  action: string
  isForAdmins: boolean
}

const STEPS: readonly Step[] = [
  {
    missing: 'device',
    title: 'Connect a device',
    about: 'A laptop, desktop or server that runs the models. It dials out: no open port, no VPN.',
    to: '/devices',
    action: 'Add a device',
    isForAdmins: true,
  },
  {
    missing: 'model',
    title: 'Enable a model',
    about: 'Devices offer models; your organization decides which of them the API answers with.',
    to: '/models',
    action: 'Enable a model',
    isForAdmins: true,
  },
  {
    missing: 'key',
    title: 'Create a key',
    about: 'Programs show it with each request. One per program makes usage easy to tell apart.',
    to: '/keys',
    action: 'Create a key',
    isForAdmins: false,
  },
]

/** What is needed before a request can be answered; gone once everything is there. */
export function NextSteps({ overview: { missing } }: { overview: Shapes['Overview'] }) {
  const { isAdmin } = useSession()
  if (missing.length === 0) return <Ready />
  return (
    <section className="card steps" aria-label="Next steps">
      <header>
        <h2>{missing.length === STEPS.length ? 'Three steps to the first answer' : 'Almost there'}</h2>
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
                <span className="soft small">An admin of the organization does this</span>
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
        <strong>Ready to answer.</strong> <span className="soft">Devices, models and keys are in place.</span>
      </p>
      <Link to="/playground" className="button button-primary">
        Try it in the playground
      </Link>
    </section>
  )
}
