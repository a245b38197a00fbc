import { and, asc, eq, ne, sql } from 'drizzle-orm'
import type { Database } from './database.ts'
import type { Store } from './store.ts'
import { model } from './tables.ts'

type ModelQueries = Pick<Store, 'accessModels' | 'enableModel' | 'disableModel' | 'removeModel' | 'listModels'>

/** The owner shown for a model when nobody said otherwise. */
const OWNER = 'organization'

const columns = {
  organization: model.organizationId,
  name: model.name,
  state: model.state,
  ownedBy: model.ownedBy,
  createdAt: model.createdAt,
}

export function modelQueries({ query }: Database): ModelQueries {
  return {
    accessModels() {
      return query.select(columns).from(model)
    },

    async enableModel({ organization, name, ownedBy }) {
      const [enabled] = await query
        .insert(model)
        .values({ organizationId: organization, name, state: 'enabled', ownedBy: ownedBy ?? OWNER })
        .onConflictDoUpdate({
          target: [model.organizationId, model.name],
          set: { state: 'enabled', ownedBy: ownedBy ?? sql`${model.ownedBy}` },
        })
        .returning(columns)
      return enabled!
    },

    disableModel(input) {
      return setState({ ...input, state: 'disabled' })
    },

    removeModel(input) {
      return setState({ ...input, state: 'removed' })
    },

    listModels(organization) {
      return query
        .select(columns)
        .from(model)
        .where(and(eq(model.organizationId, organization), ne(model.state, 'removed')))
        .orderBy(asc(model.name))
    },
  }

  /** A removed model only comes back by being enabled. */
  async function setState(input: { organization: string; name: string; state: 'disabled' | 'removed' }) {
    const changed = await query
      .update(model)
      .set({ state: input.state })
      .where(and(eq(model.organizationId, input.organization), eq(model.name, input.name), ne(model.state, 'removed')))
      .returning({ name: model.name })
    return changed.length > 0
  }
}
