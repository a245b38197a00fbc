// The parts that the console API's handlers use, and what they can read from an accepted request.

import type { EventEmitter } from 'node:events'
import type { OpenAPIHono } from '@hono/zod-openapi'
import type { Context } from 'hono'
import type { Owner } from '@hearth/chat'
import type { AccessBook } from '../access/book/access-book.ts'
import type { Accounts, Browser, Session } from '../access/accounts/accounts.ts'
import { linkBase } from '../access/network/forwarded-https.ts'
import type { GuessLimiter } from '../access/limits/guess-limiter.ts'
import type { Reach } from '../access/policy.ts'
import { sharedAddress } from '../access/network/shared-address.ts'
import type { AtOnce } from '../at-once.ts'
import type { TemplateChecks } from '../chat-template/template-checks.ts'
import type { HandedOutProgram } from '../device-app/handed-out-program.ts'
import type { Fleet } from '../fleet/fleet.ts'
import type { Actor } from '../store/audit.ts'
import type { KeyQuota } from '../store/keys/key-quota.ts'
import type { OrganizationQuota } from '../store/quota.ts'
import type { Membership } from '../store/people/members.ts'
import type { Store } from '../store/store.ts'
import type { AccountEvent, NobodysEvent } from '../store/tables/activity.ts'
import type { ChangeFeed } from './state/change-feed.ts'
import type { OpenStreams } from './state/open-streams.ts'
import type { PlaygroundKeys } from './state/playground-keys.ts'
import type { SignInState } from './state/sign-in-state.ts'
import type { Speeds } from './state/speeds.ts'

export interface ConsoleParts {
  store: Store
  book: AccessBook
  fleet: Fleet
  accounts: Accounts
  feed: ChangeFeed
  signInState: SignInState
  /** Emits the ID of a session that has ended in this gateway. */
  sessionEnds: EventEmitter
  speeds: Speeds
  playground: PlaygroundKeys
  streams: OpenStreams
  /** Of everything that is kept, by person. */
  downloads: AtOnce
  templateChecks: TemplateChecks
  guessLimiter: GuessLimiter
  /** Handed out to whoever seals requests. */
  sealProgram: Pick<HandedOutProgram, 'notice'>
  /** Empty if it is not configured; then the URL of each request is used. */
  publicUrl: string
  /** The address that the gateway listens on. */
  host: string
  peopleMakeOrganizations: boolean
  /** How many organizations one person may own. */
  organizationsPerPerson: number
  organizationQuota: OrganizationQuota
  keyQuota: KeyQuota
  mostDevices: number
  /** Called with everything that happens to people's ways to sign in, for the log and the metrics. */
  onAccountEvent: (noted: NotedEvent) => void
  /** Called with internal errors. Their messages never reach a client. */
  onInternalError: (error: unknown, where: string) => void
}

/** Something about a person's ways to sign in, or about nobody's. */
export interface NotedEvent {
  event: AccountEvent | NobodysEvent
  person?: string
  address: string
}

export interface ConsoleEnv {
  Bindings: {
    requestId: string
    /** The client's address, from the socket or a trusted proxy. */
    address: string
    /** Calls `act` when the response is over, complete or not. */
    whenOver: (act: () => void) => void
    /** Whose memory the response is until the client has read it. */
    chargeTo: (owner: Owner) => void
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

/** The person who is signed in, as an actor for the audit log. */
export function actorOf(context: ConsoleContext): Actor {
  const { person } = context.get('session')
  return { kind: 'person', id: person.id, name: person.name, address: context.env.address }
}

/** Where a change is made, and by whom. */
export function changeIn(context: ConsoleContext): { organization: string; by: Actor } {
  return { organization: organizationOf(context), by: actorOf(context) }
}

export function organizationOf(context: ConsoleContext): string {
  return context.get('membership').organization.id
}

/** Limits results to the person's own if their role does not allow more. */
export function ownOnly(context: ConsoleContext): { createdBy: string } | undefined {
  return context.get('reach') === 'own' ? { createdBy: context.get('session').person.id } : undefined
}

/** Makes a stored change take effect immediately in this gateway. If this fails, it takes effect a moment later. */
export async function takeEffect({ book, onInternalError }: ConsoleParts): Promise<void> {
  await book.changed().catch((error: unknown) => onInternalError(error, 'taking effect'))
}

/** The URL that this request was sent to. */
export function baseUrl({ publicUrl }: ConsoleParts, { req }: ConsoleContext): string {
  return linkBase(publicUrl, (name) => req.header(name))
}

/** The URL that links for other people and machines start with. */
export function sharedUrl(parts: ConsoleParts, context: ConsoleContext): string {
  const { publicUrl, host } = parts
  if (publicUrl !== '') return publicUrl
  return sharedAddress(baseUrl(parts, context), { host, client: context.env.address })
}
