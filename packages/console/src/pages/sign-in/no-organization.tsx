import type { Schemas } from '../../api/client.ts'
import { Button } from '../../parts/control/button.tsx'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { Name } from '../../parts/text/name.tsx'
import { signOut } from '../../session/sign-out.ts'
import { NewOrganizationDialog } from '../../session/organization-dialogs.tsx'
import { Splash } from '../../parts/frame/splash.tsx'

/** For people who left their last organization or were removed from it. */
export function NoOrganization({ me }: { me: Schemas['Me'] }) {
  return (
    <Splash>
      <div className="card card-body stack">
        <h1>No organization</h1>
        <p className="text-soft">
          You're signed in as <Name text={me.person.email} isStrong />, but you don't belong to an organization. Open an
          invitation link to join one{me.mayCreateOrganization ? ', or create your own' : ''}.
        </p>
        {me.mayCreateOrganization && (
          <DialogButton
            kind="primary"
            renderDialog={(close) => <NewOrganizationDialog onClose={close} onMade={close} />}
          >
            New organization
          </DialogButton>
        )}
        <Button onClick={() => void signOut()}>Sign out</Button>
      </div>
    </Splash>
  )
}
