import { useQuery } from '@tanstack/react-query'
import { api, send, type Schemas } from '../../api/client.ts'
import { refetchSessions, sessions as sessionsQuery } from '../../api/person.ts'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { Loaded, Skeleton } from '../../parts/feedback/states.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { Badge } from '../../parts/text/badge.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { describeBrowser } from './describe-browser.ts'

type Session = Schemas['Session']

export function SessionsSection() {
  const query = useQuery(sessionsQuery)
  return (
    <Section title="Sessions" about="Where you are signed in. A session that you end is signed out at once.">
      <div className="card card-body stack narrow">
        <Loaded query={query} loading={<Skeleton lines={2} />}>
          {(sessions) => (
            <>
              <ul className="entries">
                {sessions.map((session) => (
                  <Entry key={session.id} session={session} />
                ))}
              </ul>
              {sessions.length > 1 && (
                <div>
                  <DialogButton renderDialog={(close) => <EndDialog onClose={close} />}>
                    End all other sessions…
                  </DialogButton>
                </div>
              )}
            </>
          )}
        </Loaded>
      </div>
    </Section>
  )
}

function Entry({ session }: { session: Session }) {
  const { browser, address, createdAt, lastSeenAt, isThis } = session
  const name = describeBrowser(browser ?? '')
  return (
    <li>
      <div className="entry-head">
        <div>
          <p className="row">
            {name} {isThis && <Badge tone="good">This session</Badge>}
          </p>
          <p className="text-small text-soft">
            {address !== null && (
              <>
                From <Name text={address} />,{' '}
              </>
            )}
            signed in <RelativeTime at={createdAt} />, {isThis ? 'in use now' : 'last seen '}
            {!isThis && <RelativeTime at={lastSeenAt} />}
          </p>
        </div>
        {!isThis && (
          <DialogButton
            size="small"
            aria-label={`End the session of ${name}`}
            renderDialog={(close) => <EndDialog session={session} onClose={close} />}
          >
            End…
          </DialogButton>
        )}
      </div>
    </li>
  )
}

/** Without a session: all but this one. */
function EndDialog({ session, onClose }: { session?: Session; onClose: () => void }) {
  const end = async () => {
    await send(
      session
        ? api.DELETE('/me/sessions/{session}', { params: { path: { session: session.id } } })
        : api.DELETE('/me/sessions'),
    )
    await refetchSessions()
  }
  return (
    <ConfirmDialog
      title={session ? `End the session of ${describeBrowser(session.browser ?? '')}` : 'End all other sessions'}
      action={session ? 'End session' : 'End all others'}
      done={session ? 'Session ended' : 'All other sessions ended'}
      act={end}
      onClose={onClose}
    >
      <p>
        {session ? 'That browser is' : 'Every browser but this one is'} signed out at once, and its chats in the
        playground stop. If you don't recognize a session, change your password too.
      </p>
    </ConfirmDialog>
  )
}
