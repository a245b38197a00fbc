import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { NameDialog } from '../../parts/dialog/name-dialog.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { Facts } from '../../parts/text/facts.tsx'
import { Name } from '../../parts/text/name.tsx'
import { LeaveDialog } from '../../session/organization-dialogs.tsx'
import { useSession } from '../../session/session.ts'
import { useChange } from '../../session/use-change.ts'

/** The organization itself: its name, and how to leave or delete it. */
export function General() {
  const { organization } = useSession()
  const renaming = useChange(['organization'], async (own, name: string) => own.patch('', { body: { name } }))
  const deleting = useChange(['organization', 'keys', 'devices'], async (own) =>
    own.post('/delete', { body: { name: organization.name } }),
  )
  const isKeptByYou = organization.role === 'owner' && organization.deletesAt === null
  return (
    <Section title="General">
      <div className="card card-body stack">
        <Facts
          facts={[
            ['Name', <Name key="name" text={organization.name} isStrong />],
            ['Your role', organization.role],
          ]}
        />
        <div className="row">
          {isKeptByYou && (
            <DialogButton
              renderDialog={(close) => (
                <NameDialog
                  title="Rename organization"
                  about="Keys, devices and models keep working."
                  action="Rename"
                  name={organization.name}
                  onClose={close}
                  onSave={renaming.mutateAsync}
                  done="Organization renamed"
                />
              )}
            >
              Rename…
            </DialogButton>
          )}
          {organization.role === 'owner' && (
            <a className="button" href={`/api/v1/organizations/${organization.id}/export`} download>
              Download data
            </a>
          )}
          <DialogButton renderDialog={(close) => <LeaveDialog onClose={close} />}>Leave…</DialogButton>
          {isKeptByYou && (
            <DialogButton
              renderDialog={(close) => (
                <ConfirmDialog
                  title="Delete"
                  of={organization.name}
                  action="Delete organization"
                  onClose={close}
                  act={deleting.mutateAsync}
                >
                  <p>
                    All API keys stop working immediately, devices get no more requests, and nobody can change anything.
                  </p>
                  <p>
                    In seven days, everything is deleted: members, keys, devices, models, usage and the audit log. Until
                    then, any owner can restore the organization.
                  </p>
                </ConfirmDialog>
              )}
            >
              Delete…
            </DialogButton>
          )}
        </div>
      </div>
    </Section>
  )
}
