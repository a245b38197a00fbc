import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { api, send, type Schemas } from '../../api/client.ts'
import { activity as activityQuery, refetchSessions } from '../../api/person.ts'
import { Button } from '../../parts/control/button.tsx'
import { ConfirmDialog } from '../../parts/dialog/confirm-dialog.tsx'
import { DialogButton } from '../../parts/dialog/dialog-button.tsx'
import { FormDialog } from '../../parts/dialog/form.tsx'
import { Loaded, Skeleton } from '../../parts/feedback/states.tsx'
import { Section } from '../../parts/frame/page.tsx'
import { RelativeTime } from '../../parts/text/relative-time.tsx'
import { Name } from '../../parts/text/name.tsx'
import { useSession } from '../../session/session.ts'
import { adviseOn, describeActivity } from './describe-activity.ts'
import { describeBrowser } from './describe-browser.ts'
import { usePasswordChange } from './password-change.tsx'

type Activity = Schemas['Activity']

const SHOWN_FIRST = 8

export function ActivitySection() {
  const query = useQuery(activityQuery)
  const [isWhole, setWhole] = useState(false)
  return (
    <Section
      title="Recent activity"
      about="Sign-ins, wrong passwords and changes of how you sign in. Admins of your organizations see them in the audit log, without the browser."
    >
      <div className="card card-body stack narrow">
        <Loaded query={query} loading={<Skeleton lines={4} />}>
          {(activities) => (
            <>
              <ul className="entries">
                {(isWhole ? activities : activities.slice(0, SHOWN_FIRST)).map((one) => (
                  <Entry key={one.id} activity={one} />
                ))}
              </ul>
              {activities.length === 0 && <p className="text-soft">Nothing yet.</p>}
              {!isWhole && activities.length > SHOWN_FIRST && (
                <div>
                  <Button onClick={() => setWhole(true)}>Show more</Button>
                </div>
              )}
            </>
          )}
        </Loaded>
      </div>
    </Section>
  )
}

function Entry({ activity }: { activity: Activity }) {
  const words = describeActivity(activity)
  return (
    <li>
      <div className="entry-head">
        <div>
          <p>{words}</p>
          <p className="text-small text-soft">
            <Source activity={activity} />
            <RelativeTime at={activity.lastAt} />
          </p>
        </div>
        {activity.event !== 'reset' && (
          <DialogButton
            size="small"
            aria-label={`This wasn't me: ${words}`}
            renderDialog={(close) => <SecureDialog event={activity.event} onClose={close} />}
          >
            This wasn't me…
          </DialogButton>
        )}
      </div>
    </li>
  )
}

function Source({ activity: { event, address, browser } }: { activity: Activity }) {
  if (event === 'reset') return null
  return (
    <>
      From {address === null ? 'several addresses' : <Name text={address} />}
      {browser !== null && `, ${describeBrowser(browser)}`},{' '}
    </>
  )
}

/** Whoever it was is signed out, and without the old password cannot come back. */
function SecureDialog({ event, onClose }: SecureProps) {
  const { hasPassword } = useSession().me.person
  return hasPassword ? <ChangeDialog event={event} onClose={onClose} /> : <EndDialog onClose={onClose} />
}

interface SecureProps {
  event: Activity['event']
  onClose: () => void
}

function ChangeDialog({ event, onClose }: SecureProps) {
  const { act, fields } = usePasswordChange()
  return (
    <FormDialog
      title="Lock everyone else out"
      about={adviseOn(event)}
      act={act}
      action="Change password"
      onClose={onClose}
    >
      {fields}
    </FormDialog>
  )
}

function EndDialog({ onClose }: { onClose: () => void }) {
  const act = async () => {
    await send(api.DELETE('/me/sessions'))
    await refetchSessions()
  }
  return (
    <ConfirmDialog
      title="Lock everyone else out"
      action="End all other sessions"
      done="All other sessions ended"
      act={act}
      onClose={onClose}
    >
      <p>
        Every browser but this one is signed out at once. Then remove passkeys that you don't know. If you sign in
        through another account, change its password too.
      </p>
    </ConfirmDialog>
  )
}
