import { ApiError } from '@hearth/chat'
import { digestSecret } from '../../access/secrets/secrets.ts'
import type { ConsoleApp, ConsoleParts } from '../console.ts'
import * as routes from '../routes/account.ts'
import { hashNewPassword } from './new-password.ts'
import { signInWith } from './sign-in-with.ts'

export function addSetUp(app: ConsoleApp, parts: ConsoleParts): void {
  const { guessLimiter, store, signInState } = parts

  app.openapi(routes.setUp, async (context) => {
    const { token, organization, ...person } = context.req.valid('json')
    const { address } = context.env
    guessLimiter.count(address)
    if (await signInState.isSetUp()) throw invalidLink()
    const passwordHash = await hashNewPassword(person)
    const input = { digest: digestSecret(token), at: new Date(), organization, address }
    const done = await store.setUp({ ...input, person: { name: person.name, email: person.email, passwordHash } })
    if (!done) throw invalidLink()
    signInState.note(true)
    await signInWith(parts, context, person.email, person.password)
    return context.json({ organization: done.organization }, 200)
  })
}

function invalidLink(): ApiError {
  return new ApiError(
    'invalid_link',
    'This link is no longer valid. If no one has signed in yet, restart the gateway to get a new one.',
  )
}
