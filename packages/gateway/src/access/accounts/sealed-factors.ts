// Encrypts second factors on their way into the database, and decrypts them on their way out. The account library encrypts them too, but
// with the secret that signs cookies, which is stored beside them. Like session-digests, this is a layer on top of the library's tables.

import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'
import { StoreError } from '../../store/database/store-error.ts'
import type { AccountTables } from '../../store/people/accounts.ts'
import type { Keyring } from '../keyring/keyring.ts'
import { SecretKeyError } from '../keyring/secret-key-error.ts'
import { factorContext, type FactorField } from '../keyring/contexts.ts'

type Row = Record<string, unknown>

const MODEL = 'twoFactor'
/** Nobody rotates more often between two queries. */
const MOST_TRIES = 3
const FIELDS: readonly FactorField[] = ['secret', 'backupCodes']

export function sealFactors(tables: AccountTables, keyring: Keyring): AccountTables {
  return (options) => {
    const adapter = tables(options)
    const transaction: DBAdapter['transaction'] = (work) =>
      adapter.transaction((inner) => work(new FactorSeals(inner, keyring).adapter()))
    return { ...adapter, ...new FactorSeals(adapter, keyring).adapter(), transaction }
  }
}

class FactorSeals {
  readonly #tables: DBTransactionAdapter
  readonly #keyring: Keyring

  constructor(tables: DBTransactionAdapter, keyring: Keyring) {
    this.#tables = tables
    this.#keyring = keyring
  }

  adapter(): DBTransactionAdapter {
    const tables = this.#tables
    return {
      ...tables,
      create: async <Created>(input: Parameters<DBTransactionAdapter['create']>[0]): Promise<Created> => {
        if (input.model !== MODEL) return await tables.create<Row, Created>(input)
        const person = String(input.data['userId'])
        return await this.#again(async () =>
          this.#reveal(await tables.create<Row, Created>({ ...input, data: this.#hide(input.data, person) })),
        )
      },
      findOne: (input) => this.#again(async () => this.#reveal(await tables.findOne(input), input.model)),
      findMany: <Found>(input: Parameters<DBTransactionAdapter['findMany']>[0]): Promise<Found[]> =>
        this.#again(async () => {
          const rows = await tables.findMany<Found>(input)
          return Promise.all(rows.map((row) => this.#reveal(row, input.model)))
        }),
      update: (input) => (input.model === MODEL ? this.#update(input) : tables.update(input)),
      incrementOne: (input) => (input.model === MODEL ? this.#increment(input) : tables.incrementOne(input)),
    }
  }

  #update<Updated>(input: Parameters<DBTransactionAdapter['update']>[0]): Promise<Updated | null> {
    return this.#again(async () => {
      const { where, person } = await this.#locate(input.where)
      const update = this.#hide(input.update, person)
      return this.#reveal(await this.#tables.update<Updated>({ ...input, where, update }))
    })
  }

  /** Finds no row if a condition does not hold. A rotation that rewrote the row meanwhile is no reason: then this looks again. */
  #increment<Updated>(input: Parameters<DBTransactionAdapter['incrementOne']>[0]): Promise<Updated | null> {
    return this.#again(async () => {
      for (let tries = 0; ; tries++) {
        const { where, person, isSame } = await this.#locate(input.where)
        const set = input.set && this.#hide(input.set, person)
        const row = await this.#tables.incrementOne<Updated>({ ...input, where, ...(set && { set }) })
        if (row || !isSame || tries === MOST_TRIES) return this.#reveal(row)
      }
    })
  }

  /** After a rotation, the database rejects what was sealed with the key before, and the row that was read may be the old one. */
  async #again<Result>(work: () => Promise<Result>, tries = 0): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      const isOutdated = error instanceof StoreError && error.code === 'outdated'
      if (tries === MOST_TRIES || !(isOutdated || error instanceof SecretKeyError)) throw error
      if (isOutdated) await this.#keyring.readAgain()
      return await this.#again(work, tries + 1)
    }
  }

  #hide(fields: Row, person: string): Row {
    const hidden = FIELDS.filter((field) => typeof fields[field] === 'string').map((field) => [
      field,
      this.#keyring.seal(factorContext(field, person), String(fields[field])),
    ])
    return { ...fields, ...Object.fromEntries(hidden) }
  }

  async #reveal<Found>(row: Found, model = MODEL): Promise<Found> {
    if (model !== MODEL || typeof row !== 'object' || row === null) return row
    const sealed = row as Row
    const person = String(sealed['userId'])
    const open = FIELDS.filter((field) => typeof sealed[field] === 'string').map(async (field) => [
      field,
      await this.#keyring.open(factorContext(field, person), String(sealed[field])),
    ])
    return { ...row, ...(Object.fromEntries(await Promise.all(open)) as Row) }
  }

  /**
   * Whose row this is about. A condition on a secret becomes one on the sealed text that stands for it, so that of two uses of a backup code at
   * the same moment only one finds the row as it was. `isSame` says that there is such a condition, and that it held.
   */
  async #locate(where: Where[]): Promise<{ where: Where[]; person: string; isSame: boolean }> {
    const secrets = where.filter(({ field }) => FIELDS.some((known) => known === field))
    const others = where.filter((part) => !secrets.includes(part))
    const row = await this.#tables.findOne<Row>({ model: MODEL, where: others })
    if (!row) return { where, person: '', isSame: false }
    const known = await this.#reveal(row)
    const isSame = secrets.length > 0 && secrets.every(({ field, value }) => known[field] === value)
    const translated = isSame ? secrets.map((part) => ({ ...part, value: String(row[part.field]) })) : secrets
    return { where: [...others, ...translated], person: String(row['userId']), isSame }
  }
}
