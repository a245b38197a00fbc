// Thrown when the scheduler breaks a promise in a simulated world.

export class Violation extends Error {
  override name = 'Violation'
}

export function demand(holds: boolean, promise: () => string): void {
  if (!holds) throw new Violation(promise())
}

/** Two counts of the same thing. */
export function demandSame(count: number, expected: number, what: string, others: string): void {
  if (count !== expected) throw new Violation(`${count} ${what}, but ${expected} ${others}`)
}
