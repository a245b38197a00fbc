import { totp, Visitor } from '@hearth/gateway/testing'
import type { Hearth } from '../hearth.ts'
import { underLoad } from '../../harness/client/under-load.ts'
import { figure, noneFailed, seconds, type Figure, type Week } from '../week.ts'

const PERSON = { name: 'Olga', email: 'olga@acme.test', password: 'correct horse battery' }

/** Rotates the key of secrets while the owner, who has a second factor, is signed in. */
export async function rotateSecrets(week: Week): Promise<Figure[]> {
  const hearth = await week.hearth()
  const { owner, codes } = await becomeOwner(hearth)
  let took: Figure | undefined
  const load = await underLoad(hearth.client, async () => {
    const since = performance.now()
    console.log(await hearth.run('admin', 'secret', 'rotate'))
    took = seconds('hearth admin secret rotate', since, 30)
  })
  const { status } = await owner.get('/me')
  const visitor = new Visitor(hearth.origin)
  const signedIn = [
    (await visitor.post('/sign-in', { email: PERSON.email, password: PERSON.password })).status,
    (await visitor.post('/sign-in/second-factor', { code: codes[0], isBackupCode: true })).status,
    (await visitor.get('/me')).status,
  ]
  return [
    took!,
    figure('the session from before', `status ${status}`, status === 200),
    figure(
      'a new sign-in with the second factor from before',
      `status ${signedIn.at(-1)}`,
      signedIn.every((each) => each === 200),
    ),
    noneFailed(load),
  ]
}

/** By the link that the operator gets, and with a second factor. */
async function becomeOwner(hearth: Hearth): Promise<{ owner: Visitor; codes: string[] }> {
  const [, token] = /#(\S+)/.exec(await hearth.run('open', '--print')) ?? []
  const owner = new Visitor(hearth.origin)
  const joined = await owner.post('/invitations/accept', { token, person: PERSON })
  const begun = await owner.post<{ uri: string; backupCodes: string[] }>('/me/second-factor', {
    password: PERSON.password,
  })
  const confirmed = await owner.post('/me/second-factor/confirm', { code: totp(begun.body.uri) })
  if (confirmed.status !== 204)
    throw new Error(`Cannot set up a second factor: ${joined.status}, ${begun.status}, ${confirmed.status}`)
  return { owner, codes: begun.body.backupCodes }
}
