// Records what happens to people's ways to sign in: in their own list, in the audit logs of their organizations, in the log and in the metrics.

import { printableBrowser } from '../../access/accounts/accounts.ts'
import type { AccountEvent, NobodysEvent, SignInWay } from '../../store/tables/activity.ts'
import type { ConsoleContext, ConsoleParts } from '../console.ts'

interface Noted {
  person: string
  event: AccountEvent
  way?: SignInWay
}

/** Resolves when it is in the database. */
export async function noteActivity(parts: ConsoleParts, context: ConsoleContext, noted: Noted): Promise<void> {
  await record(parts, context, { ...noted, isThem: true })
}

/**
 * For a wrong password or code. Nobody waits for it: that would take longer for an address that has an account, and so tell which ones have.
 * Attempts are limited, so there are never many at once.
 */
export function noteFailure(
  parts: ConsoleParts,
  context: ConsoleContext,
  event: 'wrong-password' | 'wrong-code',
  whose: { person: string; isThem: boolean } | { email: string },
): void {
  void (async () => {
    const person = 'email' in whose ? await parts.store.findPerson(whose.email) : whose.person
    if (person === undefined) return noteNobody(parts, context, 'unknown-account')
    await record(parts, context, { person, event, isThem: 'isThem' in whose && whose.isThem })
  })().catch((error: unknown) => parts.onInternalError(error, 'recording a failed sign-in'))
}

export function noteNobody(
  { onAccountEvent }: ConsoleParts,
  { env: { address } }: ConsoleContext,
  event: NobodysEvent,
): void {
  onAccountEvent({ event, address })
}

async function record(
  { store, onAccountEvent }: ConsoleParts,
  context: ConsoleContext,
  noted: Noted & { isThem: boolean },
): Promise<void> {
  const { address } = context.env
  onAccountEvent({ event: noted.event, person: noted.person, address })
  await store.recordActivity({ ...noted, address, browser: browserNameOf(context) })
}

/** What its user agent says. */
export function browserNameOf({ req }: ConsoleContext): string | undefined {
  const userAgent = req.header('user-agent')
  return userAgent === undefined ? undefined : printableBrowser(userAgent)
}
