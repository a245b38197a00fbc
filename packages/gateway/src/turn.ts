// Calls back at the end of this turn of the event loop. However many ask, they share one immediate.

export interface Turning {
  endTurn(): void
}

let waiting: Turning[] = []

/** Calls `endTurn` once per call. */
export function atEndOfTurn(turning: Turning): void {
  if (waiting.push(turning) === 1) setImmediate(endTurn)
}

function endTurn(): void {
  const due = waiting
  waiting = []
  for (const turning of due) turning.endTurn()
}
