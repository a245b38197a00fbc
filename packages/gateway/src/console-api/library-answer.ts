// An answer of the account library, as ours: its cookies go to the client, its errors become errors of the table, its words stay here.

import { ApiError } from '../errors.ts'
import type { ConsoleContext } from './console.ts'

export async function readAnswer(context: ConsoleContext, answer: Response): Promise<Record<string, unknown>> {
  passOn(context, answer)
  const body: unknown = await answer.json()
  return typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {}
}

export function passOn(context: ConsoleContext, answer: Response): void {
  if (answer.status >= 500) throw new Error(`the account library answered ${answer.status}`)
  if (answer.status === 429)
    throw new ApiError('rate_limit_exceeded', 'Too many tries. Try again in a minute', null, { 'retry-after': '60' })
  if (answer.status >= 400)
    throw new ApiError(
      'wrong_sign_in',
      'The address, the password or the code is wrong, or the sign-in took too long. Try again',
    )
  for (const cookie of answer.headers.getSetCookie()) context.header('set-cookie', cookie, { append: true })
}
