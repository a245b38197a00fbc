// A promise of the scheduler that a simulated world saw broken.

export class Violation extends Error {
  override name = 'Violation'
}

export function demand(holds: boolean, promise: () => string): void {
  if (!holds) throw new Violation(promise())
}
