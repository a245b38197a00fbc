import type { Bus } from '../bus.ts'

/** Resolves when the server has handled everything that this connection has said so far, subscriptions too: it handles one after the other. */
export async function echo(bus: Bus, subject = 'hearth.echo'): Promise<void> {
  const { promise, resolve } = Promise.withResolvers<void>()
  const leave = bus.subscribe(subject, () => resolve())
  bus.publish(subject, new Uint8Array())
  await promise
  leave()
}
