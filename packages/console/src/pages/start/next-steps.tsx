import { Link } from '@tanstack/react-router'
import { Check, ChevronRight } from 'lucide-react'
import type { Schemas } from '../../api/client.ts'
import { useSession } from '../../session/session.ts'

/** `to` is the page whose dialog completes the step. */
const STEPS = [
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
    title: 'Add a model',
    about: 'Enable one that a device has, or let a device download another.',
    to: '/models',
    action: 'Add a model',
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
] as const

/** The steps before the first request works. */
export function NextSteps({ overview }: { overview: Schemas['Overview'] }) {
  const { isAdmin } = useSession()
  const { missing } = overview
  return (
    <section className="card" aria-label="Next steps">
      <header className="flex justify-between items-baseline border-b border-line px-12.5 py-11">
        <h2>{missing.length === STEPS.length ? 'Three steps to your first request' : 'Almost there'}</h2>
        <p className="text-soft tabular-nums">
          {STEPS.length - missing.length} of {STEPS.length} done
        </p>
      </header>
      <ol className="divided">
        {STEPS.map((step, index) => {
          const isDone = !missing.includes(step.missing)
          const isNext = missing[0] === step.missing
          return (
            <li
              key={step.title}
              className="grid grid-cols-[auto_1fr_auto] gap-9 items-center px-12.5 py-10 phone:grid-cols-[auto_1fr] phone:[&>:nth-child(3)]:col-start-2 phone:[&>:nth-child(3)]:justify-self-start"
            >
              <span
                className={`grid place-items-center size-19 font-strong border rounded-full ${isDone ? 'text-good bg-good-soft border-transparent' : 'text-soft border-line-strong'}`}
              >
                {isDone ? <Check size={16} aria-label="Done" /> : <span aria-hidden>{index + 1}</span>}
              </span>
              <span>
                <h3>{step.title}</h3>
                <p className="text-soft">{step.about}</p>
              </span>
              {isDone ? undefined : isAdmin || !step.isForAdmins ? (
                <Link to={step.to} search={{ dialog: 'add' }} className={`button ${isNext ? 'button-primary' : ''}`}>
                  {step.action}
                  <ChevronRight size={16} aria-hidden />
                </Link>
              ) : (
                <span className="text-soft text-small">Ask an admin to do this</span>
              )}
            </li>
          )
        })}
      </ol>
    </section>
  )
}
