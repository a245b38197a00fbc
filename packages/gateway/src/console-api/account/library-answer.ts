// Passes on responses of the account library: its cookies go to the client, and its errors become ours, with our own messages.

import { ApiError } from '@hearth/chat'
import type { ConsoleContext } from '../console.ts'

export const WRONG_PASSWORD = 'Wrong password.'

export async function readAnswer(
  context: ConsoleContext,
  answer: Response,
  wrong?: string,
): Promise<Record<string, unknown>> {
  passOn(context, answer, wrong)
  const body: unknown = await answer.json()
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

/** Whether it was a wrong password or code. */
export function isWrong({ status }: Response): boolean {
  return status >= 400 && status < 500 && status !== 429
}

/** `wrong` is the message for a wrong password or code. */
export function passOn(context: ConsoleContext, answer: Response, wrong = 'Could not sign you in. Try again.'): void {
  if (answer.status >= 500) throw new Error(`the account library returned ${answer.status}`)
  if (answer.status === 429)
    throw new ApiError('rate_limit_exceeded', 'Too many attempts. Try again in a minute.', null, {
      'retry-after': '60',
    })
  if (answer.status >= 400) throw new ApiError('wrong_sign_in', wrong)
  for (const cookie of answer.headers.getSetCookie()) context.header('set-cookie', cookie, { append: true })
}
