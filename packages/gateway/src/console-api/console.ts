// What the handlers of the console API work with, and what they find in a request once it was let in.

import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { AccessBook } from '../access/access-book.ts'
import type { Accounts, Browser, Session } from '../access/accounts.ts'
import { linkBase } from '../access/forwarded-https.ts'
import type { GuessLimiter } from '../access/guess-limiter.ts'
import type { Reach } from '../access/policy.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Actor, Membership, Store } from '../store/store.ts'
import type { ChangeFeed } from './change-feed.ts'
import type { Speeds } from './speeds.ts'

export interface ConsoleParts {
  store: Store
  book: AccessBook
  fleet: Fleet
  accounts: Accounts
  feed: ChangeFeed
  speeds: Speeds
  guessLimiter: GuessLimiter
  /** Empty when no setting names it: then it is the address the request came by. */
  publicUrl: string
  peopleMakeOrganizations: boolean
  /** Told of errors that are our own fault; they never reach anyone outside in words. */
  onInternalError: (error: unknown, where: string) => void
}

export interface ConsoleEnv {
  Bindings: {
    requestId: string
    /** Of the client, from the socket or from a proxy that is trusted. */
    address: string
  }
  Variables: {
    session: Session
    membership: Membership
    reach: Reach
  }
}

export type ConsoleApp = OpenAPIHono<ConsoleEnv>
export type ConsoleContext = Context<ConsoleEnv>

export function browserOf({ req, env }: ConsoleContext): Browser {
  return { headers: req.raw.headers, address: env.address }
}

/** The person who is signed in, as the audit log names them. */
export function actorOf(context: ConsoleContext): Actor {
  const { person } = context.get('session')
  return { kind: 'person', id: person.id, name: person.name, address: context.env.address }
}

export function organizationOf(context: ConsoleContext): string {
  return context.get('membership').organization.id
}

/** Whose things may be seen: everybody's, or only the person's own. */
export function ownOnly(context: ConsoleContext): { createdBy: string } | undefined {
  return context.get('reach') === 'own' ? { createdBy: context.get('session').person.id } : undefined
}

/** Makes a change count at once in this gateway. It is made already: should this fail, it counts a moment later. */
export async function takeEffect({ book, onInternalError }: ConsoleParts): Promise<void> {
  await book.refresh().catch((error: unknown) => onInternalError(error, 'taking effect'))
}

/** The address links begin with. */
export function baseUrl({ publicUrl }: ConsoleParts, { req }: ConsoleContext): string {
  return linkBase(publicUrl, (name) => req.header(name))
}
