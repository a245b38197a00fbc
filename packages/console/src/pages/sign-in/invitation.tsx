import { useQuery } from '@tanstack/react-query'
import { Link, useNavigate } from '@tanstack/react-router'
import { useEffect, useState } from 'react'
import { api, send, type Shapes } from '../../api/client.ts'
import { me as meQuery, readEverythingAgain, signInOptions } from '../../api/queries.ts'
import { useSecretInAddress } from '../../lib/use-secret-in-address.ts'
import { useSubmit } from '../../lib/use-submit.ts'
import { Button } from '../../parts/button.tsx'
import { Name } from '../../parts/name.tsx'
import { Loaded, Problem } from '../../parts/states.tsx'
import { keepChosenOrganization } from '../../session/chosen-organization.ts'
import { Splash } from '../../parts/splash.tsx'
import { PersonFields } from './person-fields.tsx'
import { ProviderButton } from './provider-button.tsx'
import { SignIn } from './sign-in.tsx'
import './sign-in.css'

/** Opened from an invitation link. People join with their account or create one. */
export function InvitationPage() {
  const token = useSecretInAddress()
  const me = useQuery(meQuery)
  const [isSigningIn, setSigningIn] = useState(false)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) => send(api.POST('/invitations/look-up', { body: { token }, signal })),
  })
  useEffect(() => {
    document.title = 'Invitation · Hearth'
  }, [])
  if (isSigningIn && me.data === null) return <SignIn />
  return (
    <Splash>
      <div className="card card-body stack">
        {invitation.error && <NotValid error={invitation.error} />}
        <Loaded query={invitation} waiting={<span className="sign-in-waiting" />} failed={null}>
          {(offer) => (
            <>
              <header>
                <h1>
                  Join <Name text={offer.organization} />
                </h1>
                <p className="soft">You're invited as {offer.role === 'member' ? 'a member' : `an ${offer.role}`}.</p>
              </header>
              <Loaded query={me} waiting={<span className="sign-in-waiting" />}>
                {(person) =>
                  person ? (
                    <JoinAsMe token={token} me={person} />
                  ) : (
                    <>
                      <ProviderWay />
                      <JoinAsNew token={token} email={offer.email} onSignIn={() => setSigningIn(true)} />
                    </>
                  )
                }
              </Loaded>
            </>
          )}
        </Loaded>
      </div>
    </Splash>
  )
}

function NotValid({ error }: { error: Error }) {
  return (
    <>
      <h1>Invitation</h1>
      <Problem error={error} />
      <Link to="/" className="button">
        Go to sign-in
      </Link>
    </>
  )
}

function useJoin(body: { token: string; person?: { name: string; email: string; password: string } }) {
  const navigate = useNavigate()
  return useSubmit(async () => {
    const { organization } = await send(api.POST('/invitations/accept', { body }))
    keepChosenOrganization(organization)
    await readEverythingAgain()
    await navigate({ to: '/', replace: true })
  })
}

function JoinAsMe({ token, me }: { token: string; me: Shapes['Me'] }) {
  const { submit, isBusy, failure } = useJoin({ token })
  return (
    <form className="stack" onSubmit={submit}>
      <p>
        You're signed in as <Name text={me.person.email} isStrong />.
      </p>
      {failure !== undefined && <Problem error={failure} />}
      <Button type="submit" kind="primary" isBusy={isBusy}>
        Join
      </Button>
    </form>
  )
}

/** For people who sign in without a password. */
function ProviderWay() {
  const { data } = useQuery(signInOptions)
  if (!data?.provider) return null
  return (
    <>
      <ProviderButton name={data.provider.name} />
      <p className="sign-in-or">or</p>
    </>
  )
}

function JoinAsNew({ token, email, onSignIn }: { token: string; email: string | null; onSignIn: () => void }) {
  const [person, setPerson] = useState({ name: '', email: email ?? '', password: '' })
  const { submit, isBusy, failure } = useJoin({ token, person })
  return (
    <form className="stack" onSubmit={submit}>
      <PersonFields person={person} onChange={setPerson} isEmailFixed={email !== null} />
      {failure !== undefined && <Problem error={failure} />}
      <Button type="submit" kind="primary" isBusy={isBusy}>
        Join
      </Button>
      <Button kind="quiet" onClick={onSignIn}>
        I already have an account
      </Button>
    </form>
  )
}
