/** How often it can be done in a row, up to a thousand times, before it throws. */
export function countAllowed(act: () => void): number {
  for (let count = 0; count < 1_000; count++)
    try {
      act()
    } catch {
      return count
    }
  return 1_000
}
