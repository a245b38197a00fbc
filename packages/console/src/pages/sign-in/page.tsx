import { useQuery } from '@tanstack/react-query'
import { Navigate } from '@tanstack/react-router'
import { me } from '../../api/queries.ts'
import { SignIn } from './sign-in.tsx'

/** An external provider sends people here when signing in with it has failed. */
export function SignInPage() {
  const { data } = useQuery(me)
  if (data) return <Navigate to="/" />
  const hasFailed = new URLSearchParams(window.location.search).has('error')
  return (
    <SignIn
      {...(hasFailed && {
        problem: new Error('Signing in with the provider did not work. Try again, or ask for an invitation first'),
      })}
    />
  )
}
