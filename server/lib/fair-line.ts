import { AppError } from './errors.ts'

/**
 * Work that is done one piece after the other, each person's in turn: whoever asks for much waits for themselves, and
 * everybody else for one piece of theirs at the most.
 */
export class FairLine {
  readonly #waiting = new Map<string, (() => Promise<unknown>)[]>()
  readonly #most: number
  #isBusy = false

  /** `most` pieces of one person wait at a time; more are refused. */
  constructor(most: number) {
    this.#most = most
  }

  /** Runs `work` when it is `person`'s turn. */
  run<T>(person: string, work: () => Promise<T>): Promise<T> {
    const own = this.#waiting.get(person) ?? []
    if (own.length >= this.#most)
      return Promise.reject(
        new AppError('too_many', 'Too much of yours is being read already. Please try again in a moment.', {
          retryAfter: 30,
        }),
      )
    return new Promise<T>((resolve, reject) => {
      // Work that cannot even begin has failed like any other, and the line goes on.
      const begin = async () => work()
      own.push(() => begin().then(resolve, reject))
      this.#waiting.set(person, own)
      this.#next()
    })
  }

  #next(): void {
    const [first] = this.#waiting
    if (this.#isBusy || !first) return
    const [person, own] = first
    const work = own.shift()
    // Whoever has more goes to the end of the line.
    this.#waiting.delete(person)
    if (own.length > 0) this.#waiting.set(person, own)
    this.#isBusy = true
    void work?.().finally(() => {
      this.#isBusy = false
      this.#next()
    })
  }
}
