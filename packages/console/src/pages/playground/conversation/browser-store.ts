// What people keep in this browser: IndexedDB, which no server sees. Every record belongs to a person in an organization.

export interface KeptRecord {
  owner: string
  id: number
  kind: 'chat' | 'preset'
  /** When it changed, as in Date.now(). */
  at: number
  /** Changes with every write, so that a tab sees that another one wrote. */
  revision: number
  /** In characters. */
  size: number
  value: object
}

export interface BrowserStore {
  read: (owner: string) => Promise<KeptRecord[]>
  /** False, and nothing is written, if the record is no longer the one with the revision `before`. */
  put: (record: KeptRecord, before: number | undefined) => Promise<boolean>
  /** Without an id: everything of this owner. */
  remove: (owner: string, id?: number) => Promise<void>
  /** Tells other tabs that something changed. */
  notify: () => void
  subscribe: (onChange: () => void, signal: AbortSignal) => void
}

const NAME = 'kept'
const CHANGED = 'hearth-playground-changed'
const OPEN_MS = 3_000

/** Rejects if the browser keeps nothing, as some do in private windows. */
export async function openBrowserStore(): Promise<BrowserStore> {
  const opening = indexedDB.open('hearth-playground', 1)
  opening.addEventListener('upgradeneeded', () => opening.result.createObjectStore(NAME, { keyPath: ['owner', 'id'] }))
  const database = await Promise.race([resultOf(opening), failAfter(OPEN_MS)])
  const begin = (mode: IDBTransactionMode) => database.transaction(NAME, mode).objectStore(NAME)
  return {
    read: async (owner) => resultOf<KeptRecord[]>(begin('readonly').getAll(allOf(owner))),
    put: async (record, before) => {
      const store = begin('readwrite')
      const found = await resultOf<KeptRecord | undefined>(store.get([record.owner, record.id]))
      if (found !== undefined && found.revision !== before) return false
      store.put(record)
      return endOf(store.transaction).then(() => true)
    },
    remove: async (owner, id) => {
      const store = begin('readwrite')
      store.delete(id === undefined ? allOf(owner) : [owner, id])
      return endOf(store.transaction)
    },
    notify: () => localStorage.setItem(CHANGED, String(Math.random())),
    subscribe: (onChange, signal) =>
      window.addEventListener('storage', ({ key }) => key === CHANGED && onChange(), { signal }),
  }
}

function allOf(owner: string): IDBKeyRange {
  return IDBKeyRange.bound([owner], [owner, []])
}

async function resultOf<Value>(request: IDBRequest<Value>): Promise<Value> {
  return new Promise((resolve, reject) => {
    request.addEventListener('success', () => resolve(request.result))
    request.addEventListener('error', () => reject(request.error ?? new Error('The browser gave no reason.')))
  })
}

/** A full disk shows only when the transaction ends. */
async function endOf(transaction: IDBTransaction): Promise<void> {
  return new Promise((resolve, reject) => {
    transaction.addEventListener('complete', () => resolve())
    transaction.addEventListener('abort', () => reject(transaction.error ?? new Error('The browser gave no reason.')))
  })
}

async function failAfter(ms: number): Promise<never> {
  return new Promise((_, reject) => setTimeout(() => reject(new Error('The browser did not open its storage.')), ms))
}
