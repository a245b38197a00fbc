import type { Figure, Week } from '../week.ts'
import { replace } from './replace.ts'

/** Restarts without a gap. */
export async function restart(week: Week): Promise<Figure[]> {
  return replace(await week.hearth())
}
