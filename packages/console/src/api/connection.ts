// Whether the gateway responds, for everyone who shows it.

import { useSyncExternalStore } from 'react'

type Connection = 'connecting' | 'open' | 'lost' | 'without-database'

let connection: Connection = 'connecting'
const watchers = new Set<() => void>()

/** 'lost' once the gateway stops responding, 'without-database' once its database does. */
export function useConnection(): Connection {
  return useSyncExternalStore((watcher) => {
    watchers.add(watcher)
    return () => watchers.delete(watcher)
  }, readConnection)
}

export function readConnection(): Connection {
  return connection
}

export function setConnection(next: Connection): void {
  connection = next
  for (const watcher of watchers) watcher()
}
