import { useState } from 'react'
import { refetchMe } from '../../api/changes.ts'
import { api, send } from '../../api/client.ts'
import { refetchSessions } from '../../api/person.ts'
import { NewPasswordField } from '../../parts/control/new-password-field.tsx'
import { showToast } from '../../parts/feedback/toasts.tsx'
import { useSession } from '../../session/session.ts'
import { CurrentPassword } from './current-password.tsx'

/** The fields of a form that changes the password, and what it does. */
export function usePasswordChange() {
  const { email } = useSession().me.person
  const [current, setCurrent] = useState('')
  const [next, setNext] = useState('')
  const act = async () => {
    await send(api.PUT('/me/password', { body: { current, next } }))
    // The old session has ended, and a request sent with it may have made the console think that you are signed out.
    await Promise.all([refetchMe(), refetchSessions()])
    setCurrent('')
    setNext('')
    showToast('Password changed. You are signed out everywhere else.')
  }
  const fields = (
    <>
      <CurrentPassword label="Current password" value={current} onText={setCurrent} />
      <NewPasswordField
        label="New password"
        advice="Changing it signs you out everywhere else."
        email={email}
        value={next}
        onChange={setNext}
      />
    </>
  )
  return { act, fields }
}
