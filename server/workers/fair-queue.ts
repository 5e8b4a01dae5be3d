/**
 * A queue that serves users in turn. `take` returns an item of the user who was served longest ago; the items of one user are
 * returned in the order in which they were added. A user with many items therefore delays every other user by one item at most.
 */
export class FairQueue<T> {
  readonly #waiting = new Map<string, T[]>()
  /** For each user, the number of the last `take` that returned an item of the user. Stored until `forget`. */
  readonly #served = new Map<string, number>()
  #servings = 0
  #size = 0

  /** The number of waiting items of all users. */
  get size(): number {
    return this.#size
  }

  /** Returns the number of waiting items of one user. */
  countOf(person: string): number {
    return this.#waiting.get(person)?.length ?? 0
  }

  add(person: string, item: T): void {
    const own = this.#waiting.get(person)
    if (own) own.push(item)
    else this.#waiting.set(person, [item])
    this.#size += 1
  }

  /** Removes and returns the next item for which `fits` returns true. Returns undefined if there is none. */
  take(fits: (item: T) => boolean = () => true): T | undefined {
    let next: { person: string; own: T[]; at: number; served: number } | undefined
    for (const [person, own] of this.#waiting) {
      const served = this.#served.get(person) ?? 0
      if (next && served >= next.served) continue
      const at = own.findIndex(fits)
      if (at >= 0) next = { person, own, at, served }
    }
    if (!next) return undefined
    this.#served.set(next.person, (this.#servings += 1))
    return this.#removeAt(next.person, next.own, next.at)
  }

  /** Removes an item from the queue. Returns false if the queue does not contain it. */
  remove(person: string, item: T): boolean {
    const own = this.#waiting.get(person)
    const at = own?.indexOf(item) ?? -1
    if (!own || at < 0) return false
    this.#removeAt(person, own, at)
    return true
  }

  /** Deletes the record of when users were served. Call it when no task is waiting or running. */
  forget(): void {
    this.#served.clear()
  }

  #removeAt(person: string, own: T[], at: number): T {
    const [item] = own.splice(at, 1)
    if (own.length === 0) this.#waiting.delete(person)
    this.#size -= 1
    return item!
  }
}
