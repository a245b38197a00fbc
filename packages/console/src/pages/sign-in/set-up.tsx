import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { api, send } from '../../api/client.ts'
import { signInOptions } from '../../api/person.ts'
import { useSecretInUrl } from '../../lib/use-secret-in-url.ts'
import { Loaded } from '../../parts/feedback/states.tsx'
import { Splash } from '../../parts/frame/splash.tsx'
import { OwnerForm, useEnter } from './owner-form.tsx'
import type { NewPerson } from './person-fields.tsx'

/** The first visit, with the link that the gateway printed. */
export function SetUpPage() {
  const options = useQuery(signInOptions)
  return (
    <Splash title="Set up">
      <div className="card card-body stack">
        <Loaded query={options} loading={<span className="min-h-150" />}>
          {({ isSetUp }) =>
            isSetUp ? (
              <>
                <h1>Hearth is already set up</h1>
                <p className="text-soft">
                  This link only works once, and someone has used it. If you have an account, sign in. If not, ask for
                  an invitation.
                </p>
                <Link to="/" className="button button-primary">
                  Sign in
                </Link>
              </>
            ) : (
              <SetUpForm />
            )
          }
        </Loaded>
      </div>
    </Splash>
  )
}

function SetUpForm() {
  const token = useSecretInUrl()
  const enter = useEnter()
  async function create(owner: NewPerson, organization: string): Promise<void> {
    await send(api.POST('/set-up', { body: { token, ...owner, organization } }))
    await enter()
  }
  const problem = token === '' ? new Error('This link is incomplete. Copy all of it from the log.') : undefined
  return <OwnerForm problem={problem} onCreate={create} />
}
