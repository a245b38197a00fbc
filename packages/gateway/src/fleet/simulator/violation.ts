// Thrown when the scheduler breaks a promise in a simulated world.

export class Violation extends Error {
  override name = 'Violation'
}

export function demand(holds: boolean, promise: () => string): void {
  if (!holds) throw new Violation(promise())
}
