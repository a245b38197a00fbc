import { seconds, type Figure, type Week } from '../week.ts'

/** Starts Hearth on a fresh folder. `npm ci` ran before, and a model is there: nothing is downloaded. */
export async function install(week: Week): Promise<Figure[]> {
  const since = performance.now()
  const hearth = await week.hearth()
  const panel = seconds('from the start to the panel', since, 60)
  await hearth.ask()
  return [panel, seconds('from the start to the first answer', since, 60)]
}
