// What the account library leaves out when it checks the code of a second factor: a code from an authenticator app works only once, and a wrong
// code is known to be one for somebody's account. Also says who signed in, whatever the way.

import { createHmac } from 'node:crypto'
import { APIError, createAuthMiddleware, getSessionFromCtx } from 'better-auth/api'
import { symmetricDecrypt } from 'better-auth/crypto'
import type { BetterAuthPlugin } from 'better-auth/types'

export interface SecondStepOptions {
  /** Uses up the code of these thirty seconds. False if somebody has. */
  useStep: (step: { person: string; step: number }) => Promise<boolean>
  /** Whose account a request is about, also if it fails. */
  onPerson: (request: Request, person: string) => void
}

const TOTP = '/two-factor/verify-totp'
const PATHS = new Set([TOTP, '/two-factor/verify-backup-code'])
/** RFC 6238. */
const STEP_MS = 30_000
/** Like the library, for clocks that differ. */
const NEARBY_STEPS = [-1, 0, 1]
/** Of an HMAC with SHA-1. */
const LAST_BYTE = 19

type Context = Parameters<typeof getSessionFromCtx>[0]

export function secondSteps({ useStep, onPerson }: SecondStepOptions) {
  const before = createAuthMiddleware(async (context) => {
    const person = await findPerson(context)
    if (person === undefined) return
    if (context.request) onPerson(context.request, person)
    if (context.path !== TOTP) return
    const step = await findStep(context, person)
    if (step !== undefined && !(await useStep({ person, step })))
      throw new APIError('UNAUTHORIZED', { code: 'INVALID_CODE', message: 'Invalid code' })
  })
  const after = createAuthMiddleware(async ({ request, context }) => {
    if (request && context.newSession) onPerson(request, context.newSession.user.id)
  })
  return {
    id: 'hearth-second-steps',
    hooks: {
      before: [{ matcher: ({ path }) => PATHS.has(path ?? ''), handler: before }],
      after: [{ matcher: () => true, handler: after }],
    },
  } satisfies BetterAuthPlugin
}

/** Who is signed in, or has given their password. */
async function findPerson(context: Context): Promise<string | undefined> {
  const session = await getSessionFromCtx(context)
  if (session) return session.user.id
  const { createAuthCookie, internalAdapter, secret } = context.context
  const attempt = await context.getSignedCookie(createAuthCookie('two_factor').name, secret)
  return attempt ? (await internalAdapter.findVerificationValue(attempt))?.value : undefined
}

/** The thirty seconds that the code belongs to. Undefined if it is wrong. */
async function findStep(context: Context, person: string): Promise<number | undefined> {
  const { adapter, secretConfig } = context.context
  const where = [{ field: 'userId', value: person }]
  const factor = await adapter.findOne<{ secret: string }>({ model: 'twoFactor', where })
  if (!factor) return undefined
  const secret = await symmetricDecrypt({ key: secretConfig, data: factor.secret })
  const { code } = context.body as { code: unknown }
  const now = Math.floor(Date.now() / STEP_MS)
  return NEARBY_STEPS.map((nearby) => now + nearby).find((step) => codeOf(secret, step) === code)
}

function codeOf(secret: string, step: number): string {
  const counter = Buffer.alloc(8)
  counter.writeBigUInt64BE(BigInt(step))
  const digest = createHmac('sha1', secret).update(counter).digest()
  const number = digest.readUInt32BE(digest.readUInt8(LAST_BYTE) & 15) & 0x7fffffff
  return String(number % 1_000_000).padStart(6, '0')
}
