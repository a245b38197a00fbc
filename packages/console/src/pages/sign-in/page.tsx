import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { me } from '../../api/person.ts'
import { SignIn } from './sign-in.tsx'

/** Where an external provider sends people after a failed sign-in. */
export function SignInPage() {
  const { data } = useQuery(me)
  if (data) return <Navigate to="/" />
  const hasFailed = new URLSearchParams(window.location.search).has('error')
  return (
    <SignIn
      {...(hasFailed && {
        problem: new Error(
          "The provider couldn't sign you in. Try again. If you're new here, ask for an invitation first.",
        ),
      })}
    />
  )
}
