// Keeps session tokens out of the database: the account library writes and looks up plain tokens, and the tables hold their digests. So
// neither a stolen backup nor a look into the database lets anyone sign in. The library has no setting for this, but the tables it gets are
// an interface, and this implements it on top of the real ones. Rows that were not asked for by token keep the digest.

import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'
import type { AccountTables } from '../../store/people/accounts.ts'
import { digestSecret } from '../secrets/secrets.ts'

export function digestSessions(tables: AccountTables): AccountTables {
  return (options) => {
    const adapter = tables(options)
    const transaction: DBAdapter['transaction'] = (work) => adapter.transaction((inner) => work(digestTokens(inner)))
    return { ...adapter, ...digestTokens(adapter), transaction }
  }
}

function digestTokens(adapter: DBTransactionAdapter): DBTransactionAdapter {
  return {
    ...adapter,
    async create<Row>(input: Input<'create'>): Promise<Row> {
      const data = hideField(input.model, input.data)
      const created = await adapter.create<Record<string, unknown>, Row>({ ...input, data })
      return reveal(created, [input.data['token']])
    },
    async findOne(input) {
      return reveal(await adapter.findOne(hide(input)), tokensOf(input))
    },
    async findMany<Row>(input: Input<'findMany'>): Promise<Row[]> {
      const rows = await adapter.findMany<Row>(hide(input))
      return rows.map((row) => reveal(row, tokensOf(input)))
    },
    async update(input) {
      const update = hideField(input.model, input.update)
      return reveal(await adapter.update({ ...hide(input), update }), tokensOf(input))
    },
    updateMany: (input) => adapter.updateMany({ ...hide(input), update: hideField(input.model, input.update) }),
    async consumeOne(input) {
      return reveal(await adapter.consumeOne(hide(input)), tokensOf(input))
    },
    async incrementOne(input) {
      return reveal(await adapter.incrementOne(hide(input)), tokensOf(input))
    },
    count: (input) => adapter.count(hide(input)),
    delete: (input) => adapter.delete(hide(input)),
    deleteMany: (input) => adapter.deleteMany(hide(input)),
  }
}

type Input<Method extends 'create' | 'findMany'> = Parameters<DBTransactionAdapter[Method]>[0]

interface Question {
  model: string
  where?: Where[] | undefined
}

function hide<Kind extends Question>(input: Kind): Kind {
  if (input.model !== 'session' || !input.where) return input
  return { ...input, where: input.where.map((part) => (part.field === 'token' ? hidePart(part) : part)) }
}

function hidePart(part: Where): Where {
  const { value } = part
  if (typeof value === 'string') return { ...part, value: digestSecret(value) }
  return Array.isArray(value) ? { ...part, value: value.map((one) => digestSecret(String(one))) } : part
}

function hideField<Fields extends Record<string, unknown>>(model: string, fields: Fields): Fields {
  const token = fields['token']
  return model === 'session' && typeof token === 'string' ? { ...fields, token: digestSecret(token) } : fields
}

/** The plain tokens in a question. */
function tokensOf({ model, where = [] }: Question): unknown[] {
  return model === 'session' ? where.filter(({ field }) => field === 'token').flatMap(({ value }) => value) : []
}

/** The row with the plain token, if the caller knew it already. */
function reveal<Row>(row: Row, known: readonly unknown[]): Row {
  if (typeof row !== 'object' || row === null || !('token' in row)) return row
  const token = known.find((one) => typeof one === 'string' && digestSecret(one) === row.token)
  return token === undefined ? row : Object.assign({}, row, { token })
}
