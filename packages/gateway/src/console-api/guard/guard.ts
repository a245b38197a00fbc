// Decides who may use a route: it takes a session, a membership, and a role whose policy allows the action. Everything else is rejected,
// and anything in another organization looks as if it did not exist.

import type { MiddlewareHandler } from 'hono'
import { ApiError } from '@hearth/chat'
import { isAllowedWhileDeleted, reachOf, type Action } from '../../access/policy.ts'
import { storeSilent } from '../../access/read-fault.ts'
import { whileStoreAnswers } from '../../access/while-store-answers.ts'
import { actorOf, takeEffect, type ConsoleContext, type ConsoleEnv, type ConsoleParts } from '../console.ts'
import type { PersonTurns } from './person-turns.ts'
import type { Access } from '../routes/route.ts'

export interface RouteRules {
  access: Access
  /** How long it may take; undefined for as long as most routes. */
  withinMs: number | undefined
  turns: PersonTurns
}

export function guard(parts: ConsoleParts, { access, withinMs, turns }: RouteRules): MiddlewareHandler<ConsoleEnv> {
  return async (context, next) => {
    const answer = async () => {
      if (access === 'anyone') return next()
      await requireSession(parts, context)
      await turns.run(context.get('session').person.id, async () => {
        if (access !== 'signed-in') await requireRole(parts, context, access)
        await next()
      })
    }
    await whileStoreAnswers(parts.book, answer, withinMs)
  }
}

async function requireSession({ accounts, onInternalError }: ConsoleParts, context: ConsoleContext): Promise<void> {
  const session = await accounts.session(context.req.raw.headers).catch((error: unknown) => {
    onInternalError(error, context.env.requestId)
    throw storeSilent()
  })
  if (!session) throw new ApiError('not_signed_in', 'You are not signed in, or your session has ended. Sign in again.')
  context.set('session', session)
  context.env.chargeTo({ organization: session.person.id, key: session.person.id })
}

async function requireRole(parts: ConsoleParts, context: ConsoleContext, action: Action): Promise<void> {
  const organization = context.req.param('organization') ?? ''
  const membership = await parts.store.membership({ organization, person: context.get('session').person.id })
  if (!membership) throw notFound('organization')
  const reach = reachOf(membership.role, action)
  if (reach === 'none') {
    const object = { kind: 'organization', id: organization, name: membership.organization.name }
    await recordRejection(parts, context, { organization, action, object })
    throw new ApiError('not_permitted', `Your role in this organization (${membership.role}) does not allow this.`)
  }
  const { deletesAt } = membership.organization
  if (deletesAt && !isAllowedWhileDeleted(action)) throw beingDeleted(deletesAt)
  context.set('membership', membership)
  context.set('reach', reach)
  context.env.chargeTo({ organization, key: context.get('session').person.id })
}

interface Rejected {
  organization: string
  action: string
  object: { kind: string; id: string; name: string }
}

/** Records a denied request in the audit log, at most a few times a minute for the same person. */
export async function recordRejection(
  { store, guessLimiter }: ConsoleParts,
  context: ConsoleContext,
  rejected: Rejected,
): Promise<void> {
  const actor = actorOf(context)
  if (guessLimiter.mayRecord(`rejected ${rejected.organization} ${actor.id}`))
    await store.recordRejection({ actor, ...rejected })
}

function beingDeleted(at: Date): ApiError {
  const message = `This organization will be deleted on ${at.toISOString().slice(0, 10)}. Nothing can be changed in it unless an owner restores it.`
  return new ApiError('being_deleted', message)
}

export function notFound(kind: string): ApiError {
  return new ApiError('not_found', `This ${kind} does not exist, or you do not have access to it.`)
}

/** Rejects a change of something that is not there to be changed. */
export function requireDone(kind: string, isDone: boolean): void {
  if (!isDone) throw notFound(kind)
}

/** The same for a change of who may do what, which holds from now on. */
export async function settleChange(parts: ConsoleParts, kind: string, isDone: boolean): Promise<void> {
  requireDone(kind, isDone)
  await takeEffect(parts)
}
