import { browserOf, type ConsoleContext, type ConsoleParts } from '../console.ts'
import { readAnswer } from './library-answer.ts'

export async function signInWith(parts: ConsoleParts, context: ConsoleContext, email: string, password: string) {
  const answer = await parts.accounts.call('/sign-in/email', browserOf(context), { email, password })
  const body = await readAnswer(context, answer, 'Wrong email or password.')
  if (body['twoFactorRedirect'] === true) return 'second-factor' as const
  noteSignIn(parts, context, body)
  return 'done' as const
}

/** From now on, attackers elsewhere cannot use up this person's attempts from this address. */
export function noteSignIn(
  { guessLimiter }: ConsoleParts,
  context: ConsoleContext,
  { user }: Record<string, unknown>,
): void {
  if (typeof user !== 'object' || user === null || !('email' in user)) return
  guessLimiter.signedIn(context.env.address, String(user.email))
}
