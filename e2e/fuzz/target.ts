/** Something that the fuzzer sends its inputs to. */
export interface Target<Input> extends AsyncDisposable {
  /** How often each kind of response came back. */
  readonly outcomes: ReadonlyMap<string, number>
  /** The input with a given number: always the same for the same seed. */
  createInput(seed: number, index: number): Input
  /** Returns what is wrong with the response to it, if anything. */
  send(input: Input, index: number): Promise<string | undefined>
  /** Everything that went wrong so far, whichever input caused it. */
  fault(): string | undefined
  /** Resolves once it was seen to work still. */
  settle(): Promise<void>
}

export function countOutcome(outcomes: Map<string, number>, outcome: string): void {
  outcomes.set(outcome, (outcomes.get(outcome) ?? 0) + 1)
}
