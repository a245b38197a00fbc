// Builds the console's part of the gateway: accounts, live updates and the API itself.

import { randomBytes } from 'node:crypto'
import { Accounts } from '../access/accounts/accounts.ts'
import type { Config } from '../config.ts'
import type { Store } from '../store/store.ts'
import { createConsoleApi } from './app.ts'
import { ChangeFeed } from './state/change-feed.ts'
import type { ConsoleApp, ConsoleParts } from './console.ts'
import { SignInState } from './state/sign-in-state.ts'

/** The parts that come from outside; the others are made here. */
type GivenParts = Omit<
  ConsoleParts,
  'accounts' | 'feed' | 'signInState' | 'publicUrl' | 'host' | 'peopleMakeOrganizations' | 'keyQuota' | 'mostDevices'
>

export interface OpenConsole {
  app: ConsoleApp
  feed: ChangeFeed
}

export async function openConsole(config: Config, parts: GivenParts): Promise<OpenConsole> {
  const { store, fleet, book, onInternalError } = parts
  const onError = (error: unknown) => onInternalError(error, 'live updates')
  const feed = new ChangeFeed({
    store,
    fleet,
    isStoreSilent: () => book.isStoreSilent,
    pollMs: config.ACCESS_POLL_MS,
    onError,
  })
  const app = createConsoleApi({
    ...parts,
    feed,
    signInState: new SignInState(store),
    accounts: await openAccounts(config, store),
    publicUrl: config.PUBLIC_URL,
    host: config.HOST,
    peopleMakeOrganizations: config.PEOPLE_MAKE_ORGANIZATIONS,
    keyQuota: { perMember: config.KEYS_PER_MEMBER, perOrganization: config.KEYS_PER_ORGANIZATION },
    mostDevices: config.DEVICES_PER_ORGANIZATION,
  })
  return { app, feed }
}

async function openAccounts(config: Config, store: Store): Promise<Accounts> {
  const fresh = randomBytes(32).toString('base64url')
  const secret = config.SESSION_SECRET || (await store.gatewaySecret({ name: 'session', fresh }))
  const provider = {
    name: config.OIDC_NAME,
    issuer: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
  }
  return new Accounts({
    tables: await store.accountTables(),
    secret,
    publicUrl: config.PUBLIC_URL || 'http://localhost',
    ...(provider.issuer !== '' && { provider }),
    mayComeIn: async (email) => config.OIDC_NEW_PEOPLE || (await store.isInvited({ email, at: new Date() })),
  })
}
