// Answers many that ask for the same with one call at a time. Whoever asks while a call runs gets the result of the next one, so that no
// answer is older than its question.

interface Asking<Answer> {
  running: Promise<Answer>
  next: Promise<Answer> | undefined
}

export class SharedAsks<Answer> {
  readonly #call: (name: string) => Promise<Answer>
  readonly #asked = new Map<string, Asking<Answer>>()

  constructor(call: (name: string) => Promise<Answer>) {
    this.#call = call
  }

  ask(name: string): Promise<Answer> {
    const asked = this.#asked.get(name)
    if (asked === undefined) return this.#run(name)
    const again = () => {
      this.#asked.delete(name)
      return this.#run(name)
    }
    return (asked.next ??= asked.running.then(again, again))
  }

  #run(name: string): Promise<Answer> {
    const running = this.#call(name)
    const asked: Asking<Answer> = { running, next: undefined }
    this.#asked.set(name, asked)
    const forget = () => {
      if (asked.next === undefined && this.#asked.get(name) === asked) this.#asked.delete(name)
    }
    running.then(forget, forget)
    return running
  }
}
