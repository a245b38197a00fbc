import { ApiError } from '@hearth/chat'
import { verifyPassword } from '../../access/accounts/accounts.ts'
import { takeEffect, type ConsoleApp, type ConsoleParts } from '../console.ts'
import { notFound } from '../guard/guard.ts'
import * as routes from '../routes/account.ts'
import { WRONG_PASSWORD } from './library-answer.ts'

export function addAccountDeletion(app: ConsoleApp, parts: ConsoleParts): void {
  const { store, guessLimiter } = parts

  app.openapi(routes.deleteMe, async (context) => {
    const { person } = context.get('session')
    const { email, password = '' } = context.req.valid('json')
    guessLimiter.count(context.env.address, `account ${person.id}`)
    if (email.trim().toLowerCase() !== person.email)
      throw new ApiError('invalid_value', 'This is not your email address. Type it to delete your account.', 'email')
    const hash = await store.passwordHash(person.id)
    if (hash !== undefined && !(await verifyPassword({ hash, password })))
      throw new ApiError('wrong_sign_in', WRONG_PASSWORD)
    const deletion = await store.deletePerson({ person: person.id, isOwnWish: true })
    if (deletion.kind === 'unknown') throw notFound('account')
    if (deletion.kind === 'only-owner') throw onlyOwner(deletion.organizations)
    await takeEffect(parts)
    return context.body(null, 204)
  })
}

function onlyOwner(names: readonly string[]): ApiError {
  return new ApiError(
    'last_owner',
    `You are the only owner of ${names.join(', ')}. Make someone else an owner, or delete the organization first.`,
  )
}
