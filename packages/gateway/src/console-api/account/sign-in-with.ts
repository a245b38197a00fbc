import type { SignInWay } from '../../store/tables/activity.ts'
import { browserOf, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { isWrong, readAnswer } from './library-answer.ts'
import { noteActivity, noteFailure } from './note-activity.ts'

export async function signInWith(parts: ConsoleParts, context: ConsoleContext, email: string, password: string) {
  const { answer, person } = await parts.accounts.call('/sign-in/email', browserOf(context), { email, password })
  if (isWrong(answer)) noteFailure(parts, context, 'wrong-password', { email })
  const body = await readAnswer(context, answer, 'Wrong email or password.')
  if (body['twoFactorRedirect'] === true) return 'second-factor' as const
  await noteSignIn(parts, context, { person, way: 'password', email })
  return 'done' as const
}

interface SignIn {
  person: string | undefined
  way: SignInWay
  email?: string
}

export async function noteSignIn(
  parts: ConsoleParts,
  context: ConsoleContext,
  { person, way, email }: SignIn,
): Promise<void> {
  // From now on, attackers elsewhere cannot use up this person's attempts from this address.
  if (email !== undefined) parts.guessLimiter.signedIn(context.env.address, email)
  if (person !== undefined) await noteActivity(parts, context, { person, event: 'sign-in', way })
}
