import type { Database } from './database.ts'
import type { AccessStore } from './store.ts'
import { accessRevision } from './tables.ts'

export function revisionQueries({ access }: Database): Pick<AccessStore, 'revisions'> {
  // Every gateway runs this several times a second.
  const revisions = access.select().from(accessRevision).prepare('hearth_revisions')

  return {
    async revisions() {
      const values = new Map((await revisions.execute()).map(({ name, value }) => [name, value]))
      return { keys: values.get('keys') ?? 0, models: values.get('models') ?? 0, devices: values.get('devices') ?? 0 }
    },
  }
}
