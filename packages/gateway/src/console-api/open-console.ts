// Builds the console's part of the gateway: accounts, live updates and the API itself.

import { EventEmitter } from 'node:events'
import { Accounts } from '../access/accounts/accounts.ts'
import type { OpenSecrets } from '../access/keyring/open-keyring.ts'
import { AtOnce } from '../at-once.ts'
import { TemplateChecks } from '../chat-template/template-checks.ts'
import type { Config } from '../config.ts'
import type { Store } from '../store/store.ts'
import { createConsoleApi } from './app.ts'
import { ChangeFeed } from './state/change-feed.ts'
import type { ConsoleApp, ConsoleParts } from './console.ts'
import { OpenStreams } from './state/open-streams.ts'
import { PlaygroundKeys } from './state/playground-keys.ts'
import { SignInState } from './state/sign-in-state.ts'

/** The parts that come from outside; the others are made here. */
type GivenParts = Pick<
  ConsoleParts,
  'store' | 'book' | 'fleet' | 'speeds' | 'guessLimiter' | 'sealProgram' | 'onAccountEvent' | 'onInternalError'
>

export interface OpenConsole {
  app: ConsoleApp
  feed: ChangeFeed
}

export async function openConsole(config: Config, secrets: OpenSecrets, parts: GivenParts): Promise<OpenConsole> {
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
    sessionEnds: new EventEmitter().setMaxListeners(0),
    playground: new PlaygroundKeys(book),
    streams: new OpenStreams(),
    downloads: new AtOnce(),
    templateChecks: new TemplateChecks(),
    accounts: await openAccounts(config, secrets, store),
    ...readSettings(config),
  })
  return { app, feed }
}

function readSettings(config: Config) {
  return {
    publicUrl: config.PUBLIC_URL,
    host: config.HOST,
    peopleMakeOrganizations: config.PEOPLE_MAKE_ORGANIZATIONS,
    organizationsPerPerson: config.ORGANIZATIONS_PER_PERSON,
    organizationQuota: { invitations: config.INVITATIONS_PER_ORGANIZATION, models: config.MODELS_PER_ORGANIZATION },
    mostDevices: config.DEVICES_PER_ORGANIZATION,
    keyQuota: { perMember: config.KEYS_PER_MEMBER, perOrganization: config.KEYS_PER_ORGANIZATION },
  }
}

async function openAccounts(config: Config, secrets: OpenSecrets, store: Store): Promise<Accounts> {
  const provider = {
    name: config.OIDC_NAME,
    issuer: config.OIDC_ISSUER,
    clientId: config.OIDC_CLIENT_ID,
    clientSecret: config.OIDC_CLIENT_SECRET,
  }
  return new Accounts({
    tables: await store.accountTables(),
    secret: secrets.session,
    keyring: secrets.keyring,
    publicUrl: config.PUBLIC_URL || 'http://localhost',
    ...(provider.issuer !== '' && { provider }),
    store,
    mayComeIn: async (email) => config.OIDC_NEW_PEOPLE || (await store.isInvited({ email, at: new Date() })),
  })
}
