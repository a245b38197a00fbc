import type { SecretStore } from '../access/keyring/open-keyring.ts'
import type { StoredSecrets } from '../store/people/stored-secrets.ts'

/** The stored secrets in memory. */
export class SecretShelf implements SecretStore {
  stored: StoredSecrets
  /** Called before a change is committed, and after. */
  during: (moment: 'before commit' | 'after commit') => void = () => undefined

  constructor(stored: StoredSecrets = { session: undefined, factors: [] }) {
    this.stored = stored
  }

  async readGatewaySecret(): Promise<string | undefined> {
    return this.stored.session
  }

  async rewriteSecrets(change: (stored: StoredSecrets) => StoredSecrets | undefined): Promise<void> {
    const changed = change(this.stored)
    this.during('before commit')
    if (changed) {
      const factors = this.stored.factors.map((old) => changed.factors.find(({ id }) => id === old.id) ?? old)
      this.stored = { session: changed.session, factors }
    }
    this.during('after commit')
  }
}
