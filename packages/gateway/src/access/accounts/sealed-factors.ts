// Encrypts second factors on their way into the database, and decrypts them on their way out. The account library encrypts them too, but
// with the secret that signs cookies, which is stored beside them. Like session-digests, this is a layer on top of the library's tables.

import type { DBAdapter, DBTransactionAdapter, Where } from '@better-auth/core/db/adapter'
import { StoreError } from '../../store/database/store-error.ts'
import type { AccountTables } from '../../store/people/accounts.ts'
import type { Keyring } from '../keyring/keyring.ts'
import { factorPlace, type FactorField } from '../keyring/places.ts'

type Row = Record<string, unknown>

const MODEL = 'twoFactor'
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
        return await this.#write(async () =>
          this.#reveal(await tables.create<Row, Created>({ ...input, data: this.#hide(input.data, person) })),
        )
      },
      findOne: async (input) => this.#reveal(await tables.findOne(input), input.model),
      findMany: async <Found>(input: Parameters<DBTransactionAdapter['findMany']>[0]): Promise<Found[]> => {
        const rows = await tables.findMany<Found>(input)
        return Promise.all(rows.map((row) => this.#reveal(row, input.model)))
      },
      update: async (input) => {
        if (input.model !== MODEL) return await tables.update(input)
        return await this.#write(async () => {
          const { where, person } = await this.#locate(input.where)
          const update = this.#hide(input.update, person)
          return this.#reveal(await tables.update({ ...input, where, update }))
        })
      },
      incrementOne: async (input) => {
        if (input.model !== MODEL) return await tables.incrementOne(input)
        return await this.#write(async () => {
          const { where, person } = await this.#locate(input.where)
          const set = input.set && this.#hide(input.set, person)
          return this.#reveal(await tables.incrementOne({ ...input, where, ...(set && { set }) }))
        })
      },
    }
  }

  /** After a rotation, the database rejects what was sealed with the key before: once more, with the new one. */
  async #write<Result>(work: () => Promise<Result>): Promise<Result> {
    try {
      return await work()
    } catch (error) {
      if (!(error instanceof StoreError && error.code === 'outdated')) throw error
      await this.#keyring.readAgain()
      return await work()
    }
  }

  #hide(fields: Row, person: string): Row {
    const hidden = FIELDS.filter((field) => typeof fields[field] === 'string').map((field) => [
      field,
      this.#keyring.seal(factorPlace(field, person), String(fields[field])),
    ])
    return { ...fields, ...Object.fromEntries(hidden) }
  }

  async #reveal<Found>(row: Found, model = MODEL): Promise<Found> {
    if (model !== MODEL || typeof row !== 'object' || row === null) return row
    const sealed = row as Row
    const person = String(sealed['userId'])
    const open = FIELDS.filter((field) => typeof sealed[field] === 'string').map(async (field) => [
      field,
      await this.#keyring.open(factorPlace(field, person), String(sealed[field])),
    ])
    return { ...row, ...(Object.fromEntries(await Promise.all(open)) as Row) }
  }

  /**
   * Whose row this is about. A condition on a secret becomes one on the sealed text that stands for it, so that of two uses of a backup code at
   * the same moment only one finds the row as it was.
   */
  async #locate(where: Where[]): Promise<{ where: Where[]; person: string }> {
    const isSecret = ({ field }: Where) => FIELDS.some((known) => known === field)
    const row = await this.#tables.findOne<Row>({ model: MODEL, where: where.filter((part) => !isSecret(part)) })
    if (!row) return { where, person: '' }
    const known = await this.#reveal(row)
    const translated = where.map((part) =>
      isSecret(part) && known[part.field] === part.value ? { ...part, value: String(row[part.field]) } : part,
    )
    return { where: translated, person: String(row['userId']) }
  }
}
