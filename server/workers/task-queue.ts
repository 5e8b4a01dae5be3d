import { AppError } from '#server/lib/errors.ts'
import { FairQueue } from './fair-queue.ts'

/**
 * Runs tasks one after the other. The next task is the oldest task of the user who was served longest ago, so a user with many
 * tasks delays another user by one task at most.
 */
export class TaskQueue {
  readonly #queue = new FairQueue<() => Promise<unknown>>()
  readonly #most: number
  #isBusy = false

  /** `most` is the maximum number of waiting tasks of a user. Further tasks are refused with 'too_many'. */
  constructor(most: number) {
    this.#most = most
  }

  /** Runs `work` when the user `person` is served. Rejects with 'too_many' if too many tasks of the user are waiting. */
  run<T>(person: string, work: () => Promise<T>): Promise<T> {
    if (this.#queue.countOf(person) >= this.#most)
      return Promise.reject(
        new AppError('too_many', 'Too many of your requests are waiting. Please try again in a moment.', {
          retryAfter: 30,
        }),
      )
    return new Promise<T>((resolve, reject) => {
      // A synchronous throw becomes a rejection, so that the next task runs.
      const begin = async () => work()
      this.#queue.add(person, () => begin().then(resolve, reject))
      this.#next()
    })
  }

  #next(): void {
    if (this.#isBusy) return
    const work = this.#queue.take()
    if (!work) return this.#queue.forget()
    this.#isBusy = true
    void work().finally(() => {
      this.#isBusy = false
      this.#next()
    })
  }
}
