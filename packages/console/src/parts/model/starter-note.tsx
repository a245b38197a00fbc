import { Link } from '@tanstack/react-router'
import { FlaskConical } from 'lucide-react'
import { Name } from '../text/name.tsx'

interface Model {
  name: string
  state: string
  devices: readonly unknown[]
  /** In billions of parameters; null for models that are not well known. */
  known: { parameters: number; isStarter: boolean } | null
}

/** The starter model, if the API serves nothing better. */
export function starterOf<One extends Model>(models: readonly One[]): One | undefined {
  const served = models.filter(({ state, devices }) => state === 'enabled' && devices.length > 0)
  return served.every(({ known }) => known?.isStarter === true) ? served[0] : undefined
}

/** Says what to expect of the starter model, before anyone judges Hearth by its answers. */
export function StarterNote({ model, isAdmin }: { model: Model; isAdmin: boolean }) {
  if (model.known?.isStarter !== true) return null
  return (
    <section className="card flex flex-wrap items-center gap-7.5 px-11 py-7.5" aria-label="About this model">
      <FlaskConical size={18} aria-hidden />
      <p className="flex-[1_1_20rem] text-start">
        <strong>
          <Name text={model.name} /> is a starter model:
        </strong>{' '}
        <span className="text-soft">
          {formatParameters(model.known.parameters)} parameters, for testing. It shows that everything works, but it
          knows little and makes things up.
        </span>
      </p>
      {isAdmin && (
        <Link to="/models" search={{ dialog: 'add' }} className="button">
          Serve a better one
        </Link>
      )}
    </section>
  )
}

/** 0.135 billion as 135M. */
function formatParameters(billions: number): string {
  return billions < 1 ? `${Math.round(billions * 1000)}M` : `${billions}B`
}
