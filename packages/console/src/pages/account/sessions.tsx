import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, send, type Shapes } from '../../api/client.ts'
import { queryClient } from '../../api/query-client.ts'
import { sessions as sessionsQuery } from '../../api/queries/person.ts'
import { Button } from '../../parts/control/button.tsx'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { Loaded, Waiting } from '../../parts/feedback/states.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { Badge } from '../../parts/text/badge.tsx'
import { Moment } from '../../parts/text/moment.tsx'
import { Name } from '../../parts/text/name.tsx'
import { describeBrowser } from './describe-browser.ts'

type Session = Shapes['Session']

export function SessionsSection() {
  const query = useQuery(sessionsQuery)
  const [ending, setEnding] = useState<Session | 'others'>()
  return (
    <Section title="Sessions" about="Where you are signed in. A session that you end is signed out at once.">
      <div className="card card-body stack narrow">
        <Loaded query={query} waiting={<Waiting lines={2} />}>
          {(sessions) => (
            <>
              <ul className="entries">
                {sessions.map((session) => (
                  <Entry key={session.id} session={session} onEnd={() => setEnding(session)} />
                ))}
              </ul>
              {sessions.length > 1 && (
                <div>
                  <Button onClick={() => setEnding('others')}>End all other sessions…</Button>
                </div>
              )}
            </>
          )}
        </Loaded>
        {ending && <EndDialog ending={ending} onClose={() => setEnding(undefined)} />}
      </div>
    </Section>
  )
}

function Entry({ session, onEnd }: { session: Session; onEnd: () => void }) {
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
            signed in <Moment at={createdAt} />, {isThis ? 'in use now' : 'last seen '}
            {!isThis && <Moment at={lastSeenAt} />}
          </p>
        </div>
        {!isThis && (
          <Button size="small" aria-label={`End the session of ${name}`} onClick={onEnd}>
            End…
          </Button>
        )}
      </div>
    </li>
  )
}

function EndDialog({ ending, onClose }: { ending: Session | 'others'; onClose: () => void }) {
  const isAll = ending === 'others'
  const end = async () => {
    await send(
      isAll
        ? api.DELETE('/me/sessions')
        : api.DELETE('/me/sessions/{session}', { params: { path: { session: ending.id } } }),
    )
    await queryClient.invalidateQueries(sessionsQuery)
  }
  return (
    <ConfirmDialog
      title={isAll ? 'End all other sessions' : `End the session of ${describeBrowser(ending.browser ?? '')}`}
      action={isAll ? 'End all others' : 'End session'}
      done={isAll ? 'All other sessions ended' : 'Session ended'}
      onConfirm={end}
      onClose={onClose}
    >
      <p>
        {isAll ? 'Every browser but this one is' : 'That browser is'} signed out at once, and its chats in the
        playground stop. If you don't recognize a session, change your password too.
      </p>
    </ConfirmDialog>
  )
}
