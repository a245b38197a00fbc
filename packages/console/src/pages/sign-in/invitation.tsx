import { useQuery } from '@tanstack/react-query'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { api, send, type Schemas } from '../../api/client.ts'
import { organizationApi } from '../../api/organization-api.ts'
import { me as meQuery, signInOptions } from '../../api/person.ts'
import { useTitle } from '../../lib/use-title.ts'
import { useSecretInUrl } from '../../lib/use-secret-in-url.ts'
import { Form } from '../../parts/dialog/form.tsx'
import { Button } from '../../parts/control/button.tsx'
import { Name } from '../../parts/text/name.tsx'
import { Loaded, Problem } from '../../parts/feedback/states.tsx'
import { showProblem } from '../../parts/feedback/toasts.tsx'
import { keepChosenOrganization } from '../../session/chosen-organization.ts'
import { Splash } from '../../parts/frame/splash.tsx'
import { OwnerForm, useEnter } from './owner-form.tsx'
import { PersonFields, type NewPerson } from './person-fields.tsx'
import { Or, ProviderButton } from './provider-button.tsx'
import { SignIn } from './sign-in.tsx'

/** Opened from an invitation link. People join with their account or create one. */
export function InvitationPage() {
  const token = useSecretInUrl()
  const me = useQuery(meQuery)
  const [isSigningIn, setSigningIn] = useState(false)
  const invitation = useQuery({
    queryKey: ['invitation', token],
    queryFn: async ({ signal }) => send(api.POST('/invitations/look-up', { body: { token }, signal })),
  })
  useTitle('Invitation')
  const options = useQuery(signInOptions)
  if (isSigningIn && me.data === null) return <SignIn />
  if (options.data?.isSetUp === false && invitation.data && isForFirstOwner(invitation.data))
    return <FirstOwner token={token} organization={invitation.data.organization} />
  return (
    <Splash>
      <div className="card card-body stack">
        {invitation.error && (
          <>
            <h1>Invitation</h1>
            <Problem error={invitation.error} />
            <Link to="/" className="button">
              Go to sign-in
            </Link>
          </>
        )}
        <Loaded query={invitation} loading={<span className="min-h-150" />} failed={null}>
          {(offer) => <Join token={token} offer={offer} onSignIn={() => setSigningIn(true)} />}
        </Loaded>
      </div>
    </Splash>
  )
}

interface JoinProps {
  token: string
  offer: { organization: string; role: Schemas['Role']; email: string | null }
  onSignIn: () => void
}

function Join({ token, offer, onSignIn }: JoinProps) {
  const me = useQuery(meQuery)
  const { data: options } = useQuery(signInOptions)
  const [person, setPerson] = useState<NewPerson>({ name: '', email: offer.email ?? '', password: '' })
  const enter = useEnter()
  const join = async (body: { token: string; person?: NewPerson }) => {
    const { organization } = await send(api.POST('/invitations/accept', { body }))
    keepChosenOrganization(organization)
    await enter()
  }
  return (
    <>
      <header className="grid gap-2.5">
        <h1>
          Join <Name text={offer.organization} />
        </h1>
        <p className="text-soft">You're invited as {offer.role === 'member' ? 'a member' : `an ${offer.role}`}.</p>
      </header>
      <Loaded query={me} loading={<span className="min-h-150" />}>
        {(known) =>
          known ? (
            <Form act={async () => join({ token })} action="Join" isWide>
              <p>
                You're signed in as <Name text={known.person.email} isStrong />.
              </p>
            </Form>
          ) : (
            <>
              {/* For people who sign in without a password. */}
              {options?.provider && (
                <>
                  <ProviderButton name={options.provider.name} />
                  <Or />
                </>
              )}
              <Form
                act={async () => join({ token, person })}
                action="Join"
                isWide
                after={
                  <Button kind="quiet" onClick={onSignIn}>
                    I already have an account
                  </Button>
                }
              >
                <PersonFields person={person} onChange={setPerson} isEmailFixed={offer.email !== null} />
              </Form>
            </>
          )
        }
      </Loaded>
    </>
  )
}

/** Before anyone can sign in, a link for an owner that names no one is for whoever started the gateway. */
function isForFirstOwner({ role, email }: { role: string; email: string | null }): boolean {
  return role === 'owner' && email === null
}

function FirstOwner({ token, organization: before }: { token: string; organization: string }) {
  const enter = useEnter()
  async function create(person: NewPerson, name: string): Promise<void> {
    const { organization } = await send(api.POST('/invitations/accept', { body: { token, person } }))
    if (name !== before) await rename(organization, name)
    await enter()
  }
  return (
    <Splash>
      <div className="card card-body">
        <OwnerForm organization={before} onCreate={create} />
      </div>
    </Splash>
  )
}

/** The account exists at this point, so a failure must not keep its owner out. */
async function rename(organization: string, name: string): Promise<void> {
  await organizationApi(organization).patch('', { body: { name } }).catch(showProblem)
}
