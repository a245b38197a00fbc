import { useSyncExternalStore } from 'react'

/** A value outside of React that components follow. */
export class SharedValue<Value> {
  readonly #watchers = new Set<() => void>()
  #value: Value

  constructor(value: Value) {
    this.#value = value
  }

  readonly get = (): Value => this.#value

  set(value: Value): void {
    this.#value = value
    for (const watcher of this.#watchers) watcher()
  }

  /** Renders again whenever it is set. */
  use(): Value {
    return useSyncExternalStore(this.watch, this.get)
  }

  /** Returns how to stop. */
  readonly watch = (watcher: () => void) => {
    this.#watchers.add(watcher)
    return () => this.#watchers.delete(watcher)
  }
}
